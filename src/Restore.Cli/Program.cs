using Restore.Cli;

using var interruption = new Interruption();
return await CliApplication.RunAsync(args, CliEnvironment.OfProcess(interruption));
