using Azure.Storage;
using Azure.Storage.Blobs;
using Azure.Storage.Sas;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>Azurite, Microsoft's server for tests, from npm. A folder is a container.</summary>
[NeedsPrograms(".ci/install-servers", "node", Program)]
public sealed class AzureServer : StoreServer
{
    private const string Program = "tests/servers/node_modules/azurite/dist/src/blob/main.js";
    private const string Account = "devstoreaccount1";

    // Microsoft publishes this key: it is the same in every installation of Azurite.
    private const string Key =
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    public override IReadOnlyDictionary<string, string> Options { get; } =
        new Dictionary<string, string> { ["auth-username"] = Account, ["auth-password"] = Key };

    public override string? Secret => Key;

    public override (string Name, string Value) WrongCredential => ("auth-password", "cXVpdGUtd3Jvbmc=");

    public override string UrlOf(string folder, int port) =>
        $"azure://{ContainerOf(folder)}?azure-blob-endpoint=http://127.0.0.1:{port}/{Account}";

    public override async Task MakeFolderAsync(string folder) =>
        await Client(folder.Split('/')[0]).CreateIfNotExistsAsync();

    public override Task MakeWritableFolderAsync(string folder) => Task.CompletedTask;

    /// <summary>
    /// Puts a file into a container, or into a folder of one, which only its name says.
    /// </summary>
    public override Task PutAsync(string folder, string name, byte[] content)
    {
        string[] parts = folder.Split('/', 2);
        return Client(parts[0])
            .GetBlobClient(parts.Length > 1 ? $"{parts[1]}/{name}" : name)
            .UploadAsync(new BinaryData(content), overwrite: true);
    }

    /// <summary>The right to read a container, without the key.</summary>
    public string TokenFor(string folder) =>
        Client(folder)
            .GenerateSasUri(
                BlobContainerSasPermissions.Read | BlobContainerSasPermissions.List,
                TimeProvider.System.GetUtcNow().AddHours(1)
            )
            .Query;

    protected override Task StartAsync() =>
        RunAsync(
            "node",
            [
                Path.Combine(Fixtures.RepositoryRoot(), Program),
                "--location",
                Root,
                "--blobHost",
                "127.0.0.1",
                "--blobPort",
                $"{Port}",
                "--silent",
                "--disableTelemetry",
                "--skipApiVersionCheck",
            ]
        );

    private static string ContainerOf(string folder) => folder.Replace('/', '-');

    private BlobContainerClient Client(string container) =>
        new(new Uri($"http://127.0.0.1:{Port}/{Account}/{container}"), new StorageSharedKeyCredential(Account, Key));
}
