using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>The folder that entries are written into.</summary>
internal sealed class TargetFolderOptions : OptionGroup
{
    private readonly Option<string?> target = Declare.Text(
        "--restore-path", "FOLDER", "restore: the original places",
        "Folder to restore into, or to compare with; the common start of all paths is cut off",
        "--target", "-t");

    public override string Title => "Target";

    public override IReadOnlyList<Option> Options => [target];

    public override HostRequest Apply(HostRequest request, CommandLine line) =>
        request with { Restore = request.Restore with { Target = Folder(line.Value(target)) } };

    /// <summary>Shells of Windows leave quotes around a path, and Duplicati takes a storage URL after an @.</summary>
    private static string? Folder(string? given)
    {
        var folder = given is ['"', .. var inner, '"'] ? inner : given;
        return folder is ['@', ..]
            ? throw new UsageException(
                $"--restore-path: {folder} names a storage, and entries are restored to folders only; a folder of that name is ./{folder}")
            : string.IsNullOrEmpty(folder) ? null : folder;
    }
}
