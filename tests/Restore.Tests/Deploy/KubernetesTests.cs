using System.Diagnostics;
using System.Text.Json;
using Restore.Cli;
using Restore.Cli.Options;
using Restore.Tests.Cli;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Deploy;

/// <summary>
/// The base for Kubernetes, as far as it can be tried without a cluster: what kubectl builds, the
/// types of its API, and whether jobs and program fit.
/// </summary>
[NeedsPrograms("the Kubernetes project", "kubectl")]
public sealed class KubernetesTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task The_types_of_the_API_know_every_field_of_the_jobs()
    {
        foreach (JsonElement job in await JobsAsync())
        {
            // A new variable decodes a job into the type of the API, and drops what it does not
            // know.
            string typed = await KubectlAsync(
                job.GetRawText(),
                "set",
                "env",
                "--local",
                "-f",
                "-",
                "-o",
                "json",
                "TRIED=yes"
            );
            using JsonDocument known = JsonDocument.Parse(typed);
            Assert.Empty(Leaves(job, "").Except(Leaves(known.RootElement, "")));
        }
    }

    [Fact]
    public async Task The_types_of_the_API_are_what_finds_a_wrong_field()
    {
        JsonElement job = (await JobsAsync())[0];
        string wrong = job.GetRawText().Replace("backoffLimit", "backofLimit", StringComparison.Ordinal);
        using JsonDocument known = JsonDocument.Parse(
            await KubectlAsync(wrong, "set", "env", "--local", "-f", "-", "-o", "json", "TRIED=yes")
        );
        using JsonDocument given = JsonDocument.Parse(wrong);
        Assert.NotEmpty(Leaves(given.RootElement, "").Except(Leaves(known.RootElement, "")));
    }

    [Fact]
    public async Task No_job_is_tried_again_for_what_another_try_cannot_change()
    {
        int[] forPeople =
        [
            ExitCodes.Usage,
            ExitCodes.PlanDamaged,
            ExitCodes.OtherPlan,
            ExitCodes.OtherCount,
            ExitCodes.OtherTarget,
        ];
        foreach (JsonElement job in await JobsAsync())
        {
            string name = NameOf(job);
            JsonElement[] rules = job.GetProperty("spec").TryGetProperty("podFailurePolicy", out JsonElement policy)
                ?
                [
                    .. policy
                        .GetProperty("rules")
                        .EnumerateArray()
                        .Where(rule => rule.TryGetProperty("onExitCodes", out _)),
                ]
                : [];
            Assert.DoesNotContain(rules, rule => rule.GetProperty("action").GetString() == "Ignore");
            Assert.All(
                rules,
                rule =>
                    Assert.Equal("restore", rule.GetProperty("onExitCodes").GetProperty("containerName").GetString())
            );
            Assert.All(
                rules.SelectMany(CodesOf),
                code => Assert.Contains(ExitCodes.Meanings, meaning => meaning.Code == code && code != 0)
            );
            if (name == "restore-plan")
            {
                Assert.Equal(0, job.GetProperty("spec").GetProperty("backoffLimit").GetInt32());
                continue;
            }

            int[] ending =
            [
                .. rules.Where(rule => rule.GetProperty("action").GetString() == "FailJob").SelectMany(CodesOf),
            ];
            Assert.Empty(forPeople.Except(ending));
            Assert.Empty(
                (
                    name == "restore-finish"
                        ? [ExitCodes.ShardsMissing, ExitCodes.Incomplete]
                        : new[] { ExitCodes.WrongPassphrase }
                ).Except(ending)
            );
            Assert.DoesNotContain(ExitCodes.Failed, ending);
            Assert.DoesNotContain(ExitCodes.TargetNotWritable, ending);
        }
    }

    [Fact]
    public async Task The_program_understands_the_arguments_of_the_jobs_and_they_fit_each_other()
    {
        IReadOnlyList<JsonElement> all = await ObjectsAsync();
        HashSet<string?> claims = [.. all.Where(one => KindOf(one) == "PersistentVolumeClaim").Select(NameOf)];
        Dictionary<string, string[]> arguments = [];
        foreach (JsonElement job in all.Where(one => KindOf(one) == "Job"))
        {
            JsonElement pod = job.GetProperty("spec").GetProperty("template").GetProperty("spec");
            JsonElement container = Assert.Single(pod.GetProperty("containers").EnumerateArray());
            string[] words = [.. container.GetProperty("args").EnumerateArray().Select(word => word.GetString()!)];
            CommandLine parsed = CommandLine.Parse(words, CliRun.Commands(), CliRun.Environment());
            Assert.Empty(parsed.Errors);
            Assert.Equal(words[0], parsed.Command.Name);
            arguments.Add(parsed.Command.Name, words);

            string[] volumes =
            [
                .. pod.GetProperty("volumes")
                    .EnumerateArray()
                    .Select(volume => volume.GetProperty("name").GetString()!),
            ];
            string[] mounts =
            [
                .. container
                    .GetProperty("volumeMounts")
                    .EnumerateArray()
                    .Select(mount => mount.GetProperty("mountPath").GetString()!),
            ];
            Assert.Equal(
                volumes,
                container
                    .GetProperty("volumeMounts")
                    .EnumerateArray()
                    .Select(mount => mount.GetProperty("name").GetString())
            );
            Assert.All(
                pod.GetProperty("volumes").EnumerateArray(),
                volume =>
                    Assert.Contains(
                        volume.GetProperty("persistentVolumeClaim").GetProperty("claimName").GetString(),
                        claims
                    )
            );
            Assert.All(
                words.SelectMany(word => word.Split('=')).Where(word => word[0] == '/'),
                path =>
                    Assert.Contains(
                        mounts,
                        mount => path == mount || path.StartsWith(mount + "/", StringComparison.Ordinal)
                    )
            );
        }

        Assert.Equal(["finish", "plan", "run"], arguments.Keys.Order(StringComparer.Ordinal));
        JsonElement shards = all.Single(one => NameOf(one) == "restore-shards").GetProperty("spec");
        Assert.Contains($"--shards={shards.GetProperty("completions").GetInt32()}", arguments["plan"]);
        Assert.Equal("Indexed", shards.GetProperty("completionMode").GetString());
        string plan = Assert.Single(arguments["plan"], word => word.StartsWith("--save=", StringComparison.Ordinal))[
            "--save=".Length..
        ];
        Assert.Equal((plan, plan), (arguments["run"][1], arguments["finish"][1]));
    }

    private static string NameOf(JsonElement one) => one.GetProperty("metadata").GetProperty("name").GetString()!;

    private static string KindOf(JsonElement one) => one.GetProperty("kind").GetString()!;

    private static IEnumerable<int> CodesOf(JsonElement rule) =>
        rule.GetProperty("onExitCodes").GetProperty("values").EnumerateArray().Select(value => value.GetInt32());

    private static async Task<IReadOnlyList<JsonElement>> JobsAsync() =>
        [.. (await ObjectsAsync()).Where(one => KindOf(one) == "Job")];

    /// <summary>What kustomize makes of the base, as JSON.</summary>
    private static async Task<IReadOnlyList<JsonElement>> ObjectsAsync()
    {
        string yaml = await KubectlAsync(
            null,
            "kustomize",
            Path.Join(Fixtures.RepositoryRoot(), "deploy", "kubernetes")
        );
        string json = await KubectlAsync(yaml, "label", "--local", "-f", "-", "-o", "json", "tried=yes");
        List<JsonElement> all = [];
        Utf8JsonReader reader = new(
            System.Text.Encoding.UTF8.GetBytes(json),
            new JsonReaderOptions { AllowMultipleValues = true }
        );
        while (reader.Read())
        {
            all.Add(JsonElement.ParseValue(ref reader));
        }

        Assert.Equal(5, all.Count);
        return all;
    }

    /// <summary>The path and the value of everything that is no object and no list.</summary>
    private static IEnumerable<string> Leaves(JsonElement element, string path) =>
        element.ValueKind switch
        {
            JsonValueKind.Object => element
                .EnumerateObject()
                .SelectMany(child => Leaves(child.Value, $"{path}.{child.Name}")),
            JsonValueKind.Array => element.EnumerateArray().SelectMany((child, i) => Leaves(child, $"{path}[{i}]")),
            _ => [$"{path}: {element}"],
        };

    private static async Task<string> KubectlAsync(string? input, params string[] arguments)
    {
        using TempFolder home = new();
        ProcessStartInfo start = new("kubectl", arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        (start.Environment["HOME"], start.Environment["KUBECONFIG"]) = (home.Path, Path.Join(home.Path, "none"));
        using Process process = Process.Start(start)!;
        try
        {
            Task<string> output = process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
            Task<string> error = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
            await process.StandardInput.WriteAsync(input);
            process.StandardInput.Close();
            await process
                .WaitForExitAsync(TestContext.Current.CancellationToken)
                .WaitAsync(Limit, TestContext.Current.CancellationToken);
            Assert.True(process.ExitCode == 0, await error);
            return await output;
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }
}
