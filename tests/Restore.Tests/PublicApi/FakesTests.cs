using System.Reflection;
using Restore.DependencyInjection;

namespace Restore.Tests.PublicApi;

/// <summary>
/// A caller can replace a backup in its tests: it overrides the members that it uses.
/// </summary>
public sealed class FakesTests
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    [Theory]
    [InlineData(typeof(Backup))]
    [InlineData(typeof(BackupMaintenance))]
    [InlineData(typeof(BackupSource))]
    public void A_fake_can_override_every_member(Type type)
    {
        MethodInfo[] methods = type.GetMethods(Declared);
        Assert.NotEmpty(methods);
        Assert.Empty(methods.Where(method => !method.IsVirtual || method.IsFinal).Select(method => method.Name));
        Assert.Contains(
            type.GetConstructors(BindingFlags.NonPublic | BindingFlags.Instance),
            constructor => constructor.IsFamily && constructor.GetParameters().Length == 0
        );
    }

    [Theory]
    [MemberData(nameof(Properties), typeof(Backup))]
    public void A_property_that_a_fake_of_a_backup_does_not_override_is_not_supported(string property) =>
        AssertNotSupported(new FakeBackup(), property);

    [Fact]
    public async Task A_call_that_a_fake_does_not_override_is_not_supported()
    {
        FakeBackup backup = new();
        BackupVersion version = new(0, DateTimeOffset.UnixEpoch, "list");
        Assert.Throws<NotSupportedException>(() => backup.HasFileList(version));
        await Assert.ThrowsAsync<NotSupportedException>(() => backup.CheckPassphraseAsync());
        await Assert.ThrowsAsync<NotSupportedException>(() =>
            backup.PlanAsync(version, new RestoreOptions { Target = "/tmp/out" })
        );
        await Assert.ThrowsAsync<NotSupportedException>(() => new FakeMaintenance().CheckAsync());
        await Assert.ThrowsAsync<NotSupportedException>(() => new BackupMaintenance(backup).CheckAsync());
        await Assert.ThrowsAsync<NotSupportedException>(() => new FakeSource().OpenAsync());
    }

    [Fact]
    public async Task A_fake_can_be_disposed_and_gives_a_fake_maintenance()
    {
        await using FakeSource source = new();
        await using FakeBackup backup = new() { Faked = new FakeMaintenance() };
        Assert.IsType<FakeMaintenance>(backup.Maintenance);
    }

    public static TheoryData<string> Properties(Type type) =>
        [
            .. type.GetProperties(Declared)
                .Where(property => property.Name != nameof(Backup.Maintenance))
                .Select(property => property.Name),
        ];

    private static void AssertNotSupported(object fake, string property)
    {
        TargetInvocationException failure = Assert.Throws<TargetInvocationException>(() =>
            typeof(Backup).GetProperty(property)!.GetValue(fake)
        );
        NotSupportedException reason = Assert.IsType<NotSupportedException>(failure.InnerException);
        Assert.StartsWith("This backup was not opened: it is a fake", reason.Message, StringComparison.Ordinal);
    }

    private sealed class FakeBackup : Backup
    {
        public BackupMaintenance? Faked { get; init; }

        public override BackupMaintenance Maintenance => Faked ?? base.Maintenance;
    }

    private sealed class FakeMaintenance : BackupMaintenance;

    private sealed class FakeSource : BackupSource;
}
