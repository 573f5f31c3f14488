namespace Restore.Tests.Architecture;

/// <summary>The C# files of a folder of the repository, without what a build makes.</summary>
internal static class SourceFiles
{
    /// <param name="folder">Relative to the root of the repository.</param>
    /// <returns>Full paths.</returns>
    public static string[] In(string folder)
    {
        string root = Path.Combine(Fixtures.RepositoryRoot(), folder);
        return
        [
            .. Directory
                .EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                .Where(file =>
                    !Path.GetRelativePath(root, file)
                        .Split(Path.DirectorySeparatorChar)
                        .Any(part => part is "obj" or "bin")
                ),
        ];
    }
}
