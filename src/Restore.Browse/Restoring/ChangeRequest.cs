namespace Restore.Browse.Restoring;

/// <summary>
/// The id of the restore that the page shows, null for any; and whether the user has confirmed that
/// entries go to their original places.
/// </summary>
internal sealed record ChangeRequest(int? Id, bool IsConfirmed = false);
