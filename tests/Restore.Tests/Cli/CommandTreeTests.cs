using System.CommandLine;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public sealed class CommandTreeTests
{
    [Fact]
    public void Each_command_is_in_the_tree_with_its_options_and_arguments()
    {
        var commands = CliRun.Commands();
        var root = CommandTree.Of(commands, "restore");
        Assert.IsType<RootCommand>(root);
        Assert.Equal(
            commands.Skip(1).Select(command => command.Name),
            root.Subcommands.Select(command => command.Name)
        );
        foreach (var (command, node) in commands.Zip(root.Subcommands.Prepend(root)))
        {
            Assert.Equal(command.Options.SelectMany(group => group.Options), node.Options);
            Assert.Equal(
                command.Operands.Select(operand => operand.Meaning),
                node.Arguments.Select(argument => argument.Description)
            );
            Assert.NotNull(node.Action);
        }
    }

    [Theory]
    [InlineData("backup")]
    [InlineData("list")]
    public void A_copy_of_the_program_can_have_the_name_of_a_command(string program)
    {
        var root = CommandTree.Of(CliRun.Commands(), program);
        Assert.Empty(root.Parse(["ls", "--", "/backup"]).Errors);
        Assert.Equal("ls", root.Parse(["ls", "--", "/backup"]).CommandResult.Command.Name);
        Assert.Equal(root, root.Parse(["--", "/backup"]).CommandResult.Command);
    }
}
