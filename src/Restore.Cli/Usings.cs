// What nearly every file of the host works with.
global using System.CommandLine;
global using System.Globalization;
global using System.Text;
global using System.Text.Json.Nodes;
global using Restore.Browse.Reports;
global using Restore.Cli.Commands;
global using Restore.Cli.Options;
global using Restore.Cli.Rendering;
