using System.Text;
using Restore.Cli;
using Restore.Cli.Help;
using Restore.Cli.Interop;
using Restore.Cli.Options;
using Restore.Cli.Rendering;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>What shells and editors of Windows make of paths, examples and passphrases.</summary>
public sealed class WindowsShellTests
{
    [Theory]
    [InlineData("C:\\Users\\ann\\Desktop\" --restore-path=C:\\out", "C:\\Users\\ann\\Desktop")]
    [InlineData("D:\\My Backup\"", "D:\\My Backup")]
    [InlineData("--restore-path=C:\\out\" --overwrite", "C:\\out")]
    [InlineData("\\\\nas\\share\"", "\\\\nas\\share")]
    public async Task A_quotation_mark_that_swallowed_the_rest_is_an_error_that_says_how_to_write_the_path(
        string argument,
        string path
    )
    {
        var run = await CliRun.OfAsync("/backup", argument);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains($"Write \"{path}\\\\\" or \"{path}\"", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/home/ann/a\"b")]
    [InlineData("--exclude=a\"b")]
    [InlineData("--passphrase=C:\\a\"b")]
    [InlineData("--restore-path=\"C:\\out\"")]
    [InlineData("C:\\out")]
    public void Any_other_quotation_mark_is_a_character(string argument) =>
        Assert.Null(SwallowedQuote.ErrorIn(argument));

    [Theory]
    [InlineData("D:\\Backup", "D:\\Backup")]
    [InlineData("--restore-path=~\\x", "--restore-path=~\\x")]
    [InlineData("D:\\My Backup", "\"D:\\My Backup\"")]
    [InlineData("D:\\My Backup\\", "\"D:\\My Backup\\\\\"")]
    [InlineData("*.jpg", "\"*.jpg\"")]
    [InlineData("@x", "\"@x\"")]
    [InlineData("a\"b", "\"a\\\"b\"")]
    [InlineData("a\\\"b", "\"a\\\\\\\"b\"")]
    [InlineData("", "\"\"")]
    public void A_command_line_can_be_pasted_into_a_shell_of_Windows(string argument, string expected) =>
        Assert.Equal(expected, ShellText.ForWindows(argument));

    [Theory]
    [InlineData(@"C:\%PATH%", @"""C:\\""%""PATH""%""""")]
    [InlineData("My %PATH% \"x", "\"My \"%\"PATH\"%\" \\\"x\"")]
    [InlineData("plain", "plain")]
    public void A_name_of_a_variable_is_no_variable_for_cmd(string argument, string expected) =>
        Assert.Equal(expected, ShellText.ForWindows(argument, namesVariable: true));

    [Theory]
    [InlineData(@"C:\$Recycle.Bin\x", @"'C:\$Recycle.Bin\x'")]
    [InlineData("~$letter of ‘Ann’ 'x'.docx", "'~$letter of ‘‘Ann’’ ''x''.docx'")]
    [InlineData(@"D:\My $x\", @"'D:\My $x\\'")]
    [InlineData("a`b“", "'a`b“'")]
    public void A_name_with_a_dollar_sign_is_no_variable_for_PowerShell(string argument, string expected) =>
        Assert.Equal(expected, ShellText.ForPowerShell(argument));

    [Theory]
    [InlineData("powershell", true)]
    [InlineData("PowerShell_ISE", true)]
    [InlineData("pwsh", true)]
    [InlineData("cmd", false)]
    [InlineData(null, false)]
    public void The_shell_that_started_the_program_is_known_by_its_name(string? name, bool isPowerShell) =>
        Assert.Equal(isPowerShell, ParentProcess.IsPowerShell(name));

    [Theory]
    [InlineData("restore find /mnt/backup '*/thesis*.odt'", "restore find D:\\Backup \"*/thesis*.odt\"")]
    [InlineData("restore /mnt/backup --restore-path=/mnt/new/x", "restore D:\\Backup --restore-path=D:\\new\\x")]
    [InlineData("restore cat /mnt/backup /home/ann/notes.txt", "restore cat D:\\Backup C:\\Users\\ann\\notes.txt")]
    [InlineData("restore versions s3://bucket/mnt/backup", "restore versions s3://bucket/mnt/backup")]
    [InlineData("'*.jpg' in Duplicati's settings", "\"*.jpg\" in Duplicati's settings")]
    [InlineData("    /media/ann/usb-disk/x    ~/backup", "    E:\\Backup\\x    ~/backup")]
    public void Examples_can_be_typed_on_Windows(string example, string expected) =>
        Assert.Equal(expected, ExampleText.ForWindows(example));

    [Theory]
    [InlineData("utf-8", true)]
    [InlineData("utf-16", true)]
    [InlineData("utf-16BE", true)]
    [InlineData("latin1", false)]
    [InlineData("utf-16 without mark", false)]
    public void A_passphrase_file_is_understood_or_refused_and_never_a_wrong_passphrase(string name, bool isUnderstood)
    {
        using TempFolder folder = new();
        Directory.CreateDirectory(folder.Root);
        var file = folder.In("secret");
        Encoding encoding =
            name == "utf-16 without mark"
                ? new UnicodeEncoding(bigEndian: false, byteOrderMark: false)
                : Encoding.GetEncoding(name);
        File.WriteAllText(file, "grün 写\r\n".Replace('写', name == "latin1" ? 'ß' : '写'), encoding);

        if (isUnderstood)
        {
            Assert.Equal("grün 写", PassphraseSource.Read("--passphrase-file", file, CliRun.Environment()));
            return;
        }

        var failure = Assert.Throws<UsageException>(() =>
            PassphraseSource.Read("--passphrase-file", file, CliRun.Environment())
        );
        Assert.Contains("is not UTF-8 text", failure.Message, StringComparison.Ordinal);
    }
}
