using Restore.Interop;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Interop;

/// <summary>
/// What a program that was killed left under a temporary name goes with the next file that is
/// written in the folder.
/// </summary>
public sealed class AbandonedFilesTests : IDisposable
{
    private const string OfAnotherMachine = ".restore-0123456789abcdef0123456789abcdef.tmp";

    private readonly TempFolder folder = new();

    private string Name => Path.Combine(folder.Path, "file");

    public void Dispose() => folder.Dispose();

    [Fact]
    public void A_file_of_this_machine_that_no_program_has_open_goes_at_once()
    {
        File.WriteAllText(Path.Combine(folder.Path, AbandonedFiles.NewName()), "left by a kill");

        AtomicFile.Write(Name, "new"u8);

        Assert.Equal(Name, Assert.Single(Directory.GetFiles(folder.Path)));
    }

    [Fact]
    public void A_file_that_is_being_written_stays()
    {
        using AtomicFile first = new(Name, AtomicFileOptions.Named);
        first.Stream.Write("first"u8);
        using (AtomicFile second = new(Path.Combine(folder.Path, "other"), AtomicFileOptions.Named))
        {
            second.Commit();
        }

        first.Stream.Dispose();
        AtomicFile.Write(Path.Combine(folder.Path, "third"), []);

        Assert.Equal(5, first.Commit());
        Assert.Equal("first", File.ReadAllText(Name));
    }

    [Theory]
    [InlineData(OfAnotherMachine)]
    [InlineData(".restore-photos.sqlite-0123456789abcdef0123456789abcdef.tmp")]
    public void A_file_that_may_be_in_use_on_another_machine_goes_when_it_is_old(string name)
    {
        string left = Path.Combine(folder.Path, name);
        File.WriteAllText(left, "left");
        AtomicFile.Write(Name, "new"u8);
        Assert.True(File.Exists(left));

        File.SetLastWriteTimeUtc(left, new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        AtomicFile.Write(Name, "new"u8, AtomicFileOptions.Replaces);
        Assert.False(File.Exists(left));
    }

    [Theory]
    [InlineData(".restore-notes.tmp")]
    [InlineData(".restore-0123456789abcdef0123456789abcdef.tmp.txt")]
    [InlineData("restore-0123456789abcdef0123456789abcdef.tmp")]
    [InlineData(".restore-0123456789abcdef0123456789abcdeX.tmp")]
    public void A_file_of_another_name_is_none(string name)
    {
        string mine = Path.Combine(folder.Path, name);
        File.WriteAllText(mine, "mine");
        File.SetLastWriteTimeUtc(mine, new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));

        AtomicFile.Write(Name, "new"u8);

        Assert.True(File.Exists(mine));
    }

    [Fact]
    [NeedsLinux]
    public void A_link_of_such_a_name_stays_and_so_does_what_it_leads_to()
    {
        string victim = Path.Combine(folder.Path, "victim");
        File.WriteAllText(victim, "as it was");
        string link = Path.Combine(folder.Path, OfAnotherMachine);
        File.CreateSymbolicLink(link, victim);

        AtomicFile.Write(Name, "new"u8);

        Assert.True(File.Exists(link));
        Assert.Equal("as it was", File.ReadAllText(victim));
    }
}
