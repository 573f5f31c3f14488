using Restore.Benchmarks;

return await Commands.RunAsync(args);
