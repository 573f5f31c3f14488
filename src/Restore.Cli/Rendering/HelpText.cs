using System.CommandLine;
using Restore.Cli.Options;

namespace Restore.Cli.Rendering;

/// <summary>The text of <c>--help</c>.</summary>
internal static class HelpText
{
    private const int Width = 100;

    private const string Head = """
        Restores Duplicati backups: fetches each volume once, verifies every block, and needs no local database.

        Usage:
          restore <storage-url-or-folder> [filter ...] [options]
          restore versions <storage-url-or-folder>                    list the versions, newest first
          restore ls <storage-url-or-folder> [path ...]               list the entries of a version
          restore find <storage-url-or-folder> <filter ...>           list which versions have a file
          restore verify <storage-url-or-folder> [filter ...]         a drill: everything but writing

        Filters:
          notes.txt              files of that name, wherever they are
          /home/ann/             a folder and all that is in it (mind the separator at the end)
          /home/ann/notes.txt    exactly that file
          '*.jpg'                * is any run of characters, ? any one
          '[.*\.(jpg|png)']      a regular expression for the whole path
          '@/a/what?.txt'        exactly that path, without wildcards
          Without a filter everything is taken. The first filter that matches an entry decides; what none
          matches is taken only if there is an --exclude.

        Options are written --name=value or --name value; switches are --name, --name=true or --name=false; sizes
        are 1024-based: 50mb. Options of stores, such as --auth-username or --s3-server-name, go to the store.
        Options of Duplicati that a restore here does not need, such as --no-local-db, are accepted.
        """;

    private const string Tail = """
        Exit codes:
          0    everything is restored and verified
          1    the command line cannot be used
          2    finished, but some entries are damaged, missing or refused: each is listed
          3    failed
          4    wrong passphrase
          5    no such backup, version or file
          6    the target is full or cannot be written
          130  interrupted: the first Ctrl-C finishes what is half done, the second stops at once

        Examples:
          restore /mnt/backup --restore-path=/tmp/out
          restore /mnt/backup '*/Documents/*' --version=2 --target /tmp/out --dry-run
          restore find /mnt/backup '*/thesis*.odt' --passphrase-file=secret.txt
        """;

    public static void Write(TextWriter output, HostOptions options)
    {
        output.WriteLine(Head);
        foreach (var group in options.Groups)
        {
            output.WriteLine();
            output.WriteLine(group.Title + ":");
            foreach (var option in group.Options)
            {
                WriteOption(output, option);
            }
        }

        output.WriteLine();
        output.WriteLine(Tail);
    }

    private static void WriteOption(TextWriter output, Option option)
    {
        output.WriteLine($"  {string.Join(", ", option.Aliases.Prepend(option.Name))}{(option.HelpName is null ? "" : $" {option.HelpName}")}");
        var line = "       ";
        foreach (var word in option.Description!.Split(' '))
        {
            if (line.Length + 1 + word.Length > Width)
            {
                output.WriteLine(line);
                line = "       ";
            }

            line += " " + word;
        }

        output.WriteLine(line);
    }
}
