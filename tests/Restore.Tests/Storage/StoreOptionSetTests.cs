using System.Globalization;
using System.Reflection;
using Restore.Azure;
using Restore.S3;
using Restore.Sftp;
using Restore.Storage;
using Restore.Storage.Ftp;
using Restore.Storage.Rclone;
using Restore.Storage.WebDav;

namespace Restore.Tests.Storage;

public sealed class StoreOptionSetTests
{
    // Duplicati's sign-in service is not asked, so a program has no use for it.
    private static readonly string[] WithoutUse = ["authid"];

    public static TheoryData<StoreOptionSet, IStoreProvider> Sets() =>
        new()
        {
            { new S3StoreOptions(), new S3StoreProvider() },
            { new B2StoreOptions(), new B2StoreProvider() },
            { new GcsStoreOptions(), new GcsStoreProvider() },
            { new AzureStoreOptions(), new AzureStoreProvider() },
            { new SftpStoreOptions(), new SftpStoreProvider() },
            { new WebDavStoreOptions(), new WebDavStoreProvider() },
            { new FtpStoreOptions(), new FtpStoreProvider() },
            { new RcloneStoreOptions(), new RcloneStoreProvider() },
        };

    [Theory]
    [MemberData(nameof(Sets))]
    public void A_set_has_a_property_for_each_option_of_its_store(StoreOptionSet set, IStoreProvider provider)
    {
        SetAll(set);
        IEnumerable<string> options = provider.Options.Concat(CommonOptions.All).Select(option => option.Name);
        Assert.Equal(options.Distinct().Except(WithoutUse).Order(), set.Keys.Order());
        Assert.Equal(Properties(set).Count(), set.Count);
    }

    [Theory]
    [MemberData(nameof(Sets))]
    public void The_store_reads_the_value_that_was_set(StoreOptionSet set, IStoreProvider provider)
    {
        SetAll(set);
        StoreOptionValues values = new(set);
        foreach (
            StoreOption option in provider.Options.Concat(CommonOptions.All).Where(one => set.ContainsKey(one.Name))
        )
        {
            switch (option.Kind)
            {
                case StoreOptionKind.Switch:
                    Assert.True(values.Flag(option));
                    break;
                case StoreOptionKind.Number:
                    Assert.Equal(7, values.Count(option, maximum: 100));
                    break;
                case StoreOptionKind.Duration:
                    Assert.Equal(TimeSpan.FromMilliseconds(90_250), values.Duration(option));
                    break;
                default:
                    Assert.Equal(set[option.Name], values.Text(option));
                    break;
            }
        }

        Assert.Equal(3_000_000, RateSchedule.Parse(set["throttle-download"])?.RateAt(DateTimeOffset.UnixEpoch));
    }

    [Theory]
    [MemberData(nameof(Sets))]
    public void An_option_that_is_not_set_is_not_in_the_set(StoreOptionSet set, IStoreProvider provider)
    {
        Assert.Empty(set);
        Assert.False(set.ContainsKey(provider.Options[0].Name));
        Assert.False(set.TryGetValue(provider.Options[0].Name, out _));
    }

    [Theory]
    [MemberData(nameof(Sets))]
    public void A_set_does_not_print_its_values(StoreOptionSet set, IStoreProvider provider)
    {
        Assert.NotEmpty(provider.Schemes);
        SetAll(set);
        Assert.Equal(set.GetType().Name, set.ToString());
    }

    [Fact]
    public void Null_leaves_an_option_unset() =>
        Assert.Empty(
            new S3StoreOptions
            {
                Region = null,
                UseTls = null,
                Retries = null,
                RetryDelay = null,
            }
        );

    [Fact]
    public void A_switch_that_is_off_says_so() =>
        Assert.Equal("false", new S3StoreOptions { UseTls = false }["use-ssl"]);

    [Fact]
    public void Numbers_and_times_that_no_store_takes_are_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new SftpStoreOptions { Retries = -1 });
        Assert.Throws<ArgumentOutOfRangeException>(() =>
            new SftpStoreOptions { RetryDelay = TimeSpan.FromSeconds(-1) }
        );
        Assert.Throws<ArgumentOutOfRangeException>(() => new SftpStoreOptions { RetryDelay = TimeSpan.FromDays(8) });
    }

    [Fact]
    public async Task A_backup_is_opened_with_a_set()
    {
        await using Backup backup = await Backup.OpenAsync(
            ScriptedStore.OfFolder(Fixtures.Backup("plain-1mb")),
            new BackupOptions
            {
                StoreOptions = new WebDavStoreOptions { DownloadBytesPerSecond = 5_000, Retries = 0 },
            }
        );
        Assert.NotEmpty(backup.Versions);
    }

    private static IEnumerable<PropertyInfo> Properties(StoreOptionSet set) =>
        set.GetType().GetProperties().Where(property => property.SetMethod is not null);

    private static void SetAll(StoreOptionSet set)
    {
        foreach (PropertyInfo property in Properties(set))
        {
            Type type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            property.SetValue(
                set,
                type == typeof(bool) ? true
                    : type == typeof(int) ? 7
                    : type == typeof(long) ? 3_000_000L
                    : type == typeof(TimeSpan) ? TimeSpan.FromMilliseconds(90_250)
                    : type == typeof(Uri) ? new Uri("https://account.blob.example.org")
                    : string.Create(CultureInfo.InvariantCulture, $"value of {property.Name}")
            );
        }
    }
}
