namespace Restore.Browse.Restoring;

/// <summary>The id of the restore that the page shows; null for any.</summary>
internal sealed record ChangeRequest(int? Id);
