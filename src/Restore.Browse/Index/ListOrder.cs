namespace Restore.Browse.Index;

internal enum ListOrder
{
    Name,
    Size,
    Time,
}
