using System.Collections.Frozen;

namespace Restore.Format.Selection;

/// <summary>
/// Duplicati's filter groups (<c>{TemporaryFiles}</c>): what a backup usually need not have, by the
/// system that makes it. Without the paths that Windows (its registry) and macOS (its list for Time
/// Machine) name themselves.
/// </summary>
internal static class FilterGroups
{
    // A class without any character, in the brackets of a regular expression: matches no path.
    private const string Nothing = @"[[^\s\S]]";

    private static readonly SearchValues<char> Separators = SearchValues.Create(":,;|");

    private static readonly FrozenDictionary<string, Groups> Names = new Dictionary<string, Groups>
    {
        ["None"] = Groups.None,
        ["SystemFiles"] = Groups.SystemFiles,
        ["System"] = Groups.SystemFiles,
        ["Sys"] = Groups.SystemFiles,
        ["OperatingSystem"] = Groups.OperatingSystem,
        ["OS"] = Groups.OperatingSystem,
        ["CacheFiles"] = Groups.CacheFiles,
        ["CacheFolders"] = Groups.CacheFiles,
        ["Caches"] = Groups.CacheFiles,
        ["Cache"] = Groups.CacheFiles,
        ["TemporaryFiles"] = Groups.TemporaryFiles,
        ["TemporaryFolders"] = Groups.TemporaryFiles,
        ["TempFolders"] = Groups.TemporaryFiles,
        ["TempFiles"] = Groups.TemporaryFiles,
        ["Temp"] = Groups.TemporaryFiles,
        ["Tmp"] = Groups.TemporaryFiles,
        ["Applications"] = Groups.Applications,
        ["Application"] = Groups.Applications,
        ["Apps"] = Groups.Applications,
        ["App"] = Groups.Applications,
        ["DefaultExcludes"] = Groups.All,
        ["DefaultExclude"] = Groups.All,
        ["Excludes"] = Groups.All,
        ["Exclude"] = Groups.All,
        ["Exc"] = Groups.All,
        ["DefaultIncludes"] = Groups.None,
        ["DefaultInclude"] = Groups.None,
        ["Includes"] = Groups.None,
        ["Include"] = Groups.None,
        ["Inc"] = Groups.None,
    }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

    [Flags]
    private enum Groups
    {
        None = 0,
        SystemFiles = 1,
        OperatingSystem = 2,
        CacheFiles = 4,
        TemporaryFiles = 8,
        Applications = 16,
        All = SystemFiles | OperatingSystem | CacheFiles | TemporaryFiles | Applications,
    }

    /// <summary>The rules with the members of each group in its place.</summary>
    /// <exception cref="RestoreException">A group is not known.</exception>
    public static IEnumerable<FilterRule> Expand(IEnumerable<FilterRule> rules, FilterGroupPlaces places) =>
        rules.SelectMany(rule =>
            rule.Expression is ['{', .., '}']
                ? Members(rule.Expression, places).Select(member => rule with { Expression = member })
                : [rule]
        );

    /// <summary>
    /// The expressions of a group. If the group has none on this system, the result is an
    /// expression that matches nothing, because a filter that is present counts even so.
    /// </summary>
    private static IEnumerable<string> Members(string text, FilterGroupPlaces places)
    {
        Groups sum = Groups.None;
        foreach (Range name in text.AsSpan(1, text.Length - 2).SplitAny(Separators))
        {
            string one = text[1..^1][name].Trim();
            sum |=
                one.Length == 0 ? Groups.None
                : Names.TryGetValue(one, out Groups group) ? group
                : throw new RestoreException(
                    RestoreErrorCode.FilterGroupUnsupported,
                    $"The filter group '{text}' is not known; there are SystemFiles, OperatingSystem, CacheFiles, TemporaryFiles, Applications, DefaultExcludes"
                );
        }

        IEnumerable<string> members = Enum.GetValues<Groups>()
            .Where(group => group is not (Groups.None or Groups.All) && sum.HasFlag(group))
            .SelectMany(group => Of(group, places))
            .Where(member => member.Length > 0)
            .Select(member => places.System == FilterGroupSystem.Windows ? member.Replace('/', '\\') : member);
        return members.DefaultIfEmpty(Nothing);
    }

    private static IEnumerable<string> Of(Groups group, FilterGroupPlaces places) =>
        (group, places.System) switch
        {
            (Groups.SystemFiles, FilterGroupSystem.Windows) =>
            [
                "*/I386*",
                "*/Internet Explorer/",
                "*/Microsoft*/RecoveryStore*",
                "*/Microsoft*/Windows/*.edb",
                "*/Microsoft*/Windows/*.log",
                "*/Microsoft*/Windows/Cookies*",
                "*/MSOCache*",
                "*/NTUSER*",
                "*/UsrClass.dat",
                "?:/hiberfil.sys",
                "?:/pagefile.sys",
                "?:/swapfile.sys",
                "?:/$Recycle.Bin/",
                "?:/Recycled/",
                "?:/Recycler/",
                "?:/System Volume Information/",
                "*/DfsrPrivate/",
                places.In("Windows", "Installer/"),
            ],
            (Groups.OperatingSystem, FilterGroupSystem.Windows) =>
            [
                "?:/Config.Msi*",
                "*/Recent/",
                "?:/autoexec.bat",
                .. places.All("System", "SystemX86", "Recent", "Windows"),
                places.In("Windows", "") is { Length: > 0 } windows ? windows.TrimEnd('/', '\\') + ".old/" : "",
            ],
            (Groups.CacheFiles, FilterGroupSystem.Windows) =>
            [
                .. OfAnySystem,
                "*/AppData/Local/AMD/DxCache/",
                "*/AppData/Local/Apple Computer/Mobile Sync/",
                "*/AppData/Local/Comms/UnistoreDB/",
                "*/AppData/Local/ElevatedDiagnostics/",
                "*/AppData/Local/Microsoft/Edge/User Data/Default/Cache",
                "*/AppData/Local/Microsoft/VSCommon/*SQM*",
                "*/AppData/Local/Microsoft/Windows/Explorer/",
                "*/AppData/Local/Microsoft/Windows/INetCache/",
                "*/AppData/Local/Microsoft/Windows/UPPS/",
                "*/AppData/Local/Microsoft/Windows/WebCache*",
                "*/AppData/Local/Microsoft/Windows Store/",
                "*/AppData/Local/Packages/",
                "*/Application Data/Apple Computer/Mobile Sync/",
                "*/Application Data/Application Data*",
                "*/Dropbox/Dropbox.exe.log",
                "*/Dropbox/QuitReports/",
                "*/Google/Chrome/User Data/Default/Cache",
                "*/Google/Chrome/User Data/Default/Cookies",
                "*/Google/Chrome/User Data/Default/Cookies-journal",
                "*/Local Settings/History/",
                "*/OneDrive/.849C9593-D756-4E56-8D6E-42412F2A707B",
                "*/Safari/Library/Caches/",
                "*/Temporary Internet Files/",
                "*/Thumbs.db",
                .. places.All("History", "InternetCache", "Cookies"),
            ],
            (Groups.TemporaryFiles, FilterGroupSystem.Windows) =>
            [
                places.Temporary,
                "*.tmp",
                "*.tmp/",
                "*/AppData/Local/Temp*",
                "*/AppData/Temp*",
                "*/Local Settings/Temp*",
                places.In("Windows", "Temp/"),
            ],
            (Groups.Applications, FilterGroupSystem.Windows) => places.All(
                "ProgramFiles",
                "ProgramFilesX86",
                "AdminTools",
                "CommonProgramFiles",
                "CommonProgramFilesX86",
                "CommonAdminTools"
            ),
            (Groups.SystemFiles, FilterGroupSystem.MacOS) =>
            [
                "/.vol/",
                "/dev/",
                "/net/",
                "/afs/",
                "/automount/",
                "/cores/",
                "/Network/",
                "*.fseventsd",
                "*.dbfseventsd",
                "/private/Network/",
                "/private/var/automount/",
                "/private/var/db/dhcpclient/",
                "/private/var/db/fseventsd/",
                "/private/var/folders/",
                "/private/var/run/",
                "/private/var/spool/postfix/",
                "/private/var/vm/",
            ],
            (Groups.OperatingSystem, FilterGroupSystem.MacOS) =>
            [
                "/Previous Systems*",
                "/mach.sym",
                "/mach_kernel",
                "/bin/",
                "/sbin/",
                "*/Library/Logs/",
                "/Network/",
                "/System/",
                "/Volumes/",
            ],
            (Groups.CacheFiles, FilterGroupSystem.MacOS) =>
            [
                .. OfAnySystem,
                "*/Application Support/Google/Chrome/Default/Cookies",
                "*/Application Support/Google/Chrome/Default/Cookies-journal",
                "*/Library/Caches/",
                "*/Library/Calendars/*/Info.plist",
                "*/Library/Calendars/Calendar Cache",
                "*/Library/Cookies/com.apple.appstore.plist",
                "*/Library/Cookies/Cookies.binarycookies",
                "*/backups.backupdb/",
                "*/iP* Software Updates/",
                "*/iPhoto Library/iPod Photo Cache*",
                "*/iTunes/Album Artwork/Cache/",
                "*/Library/Application Support/SyncServices/",
                "*/Library/Mail/*/Info.plist",
                "*/Library/Mail/AvailableFeeds/",
                "*/Library/Mail/Envelope Index",
                "*/Library/Mirrors/",
                "*/Library/PubSub/Database/",
                "*/Library/PubSub/Downloads/",
                "*/Library/PubSub/Feeds/",
                "*/Library/Safari/HistoryIndex.sk",
                "*/Library/Safari/Icons.db",
                "*/Library/Safari/WebpageIcons.db",
                "*/Library/Saved Application State/",
                "/System/Library/Extensions/Caches/",
                "*MobileBackups/",
                "*.hotfiles.btree*",
                "*.Spotlight-*/",
                "/Desktop DB",
                "/Desktop DF",
            ],
            (Groups.TemporaryFiles, FilterGroupSystem.MacOS) =>
            [
                places.Temporary,
                "/private/tmp/",
                "/private/var/tmp/",
                "*/Microsoft User Data/Entourage Temp/",
                "/tmp/",
                "/var/",
                "*.Trash*",
                "*/Network Trash Folder/",
                "*/Trash/",
                "*/lost+found/",
                "*/VM Storage",
            ],
            (Groups.Applications, FilterGroupSystem.MacOS) => ["/Applications/", "/Library/", "/usr/", "/opt/"],
            (Groups.SystemFiles, _) => ["/dev/", "/proc/", "/selinux/", "/sys/"],
            (Groups.OperatingSystem, _) => ["/bin/", "/boot/", "/etc/", "/initrd/", "/sbin/", "/var/"],
            (Groups.CacheFiles, _) =>
            [
                .. OfAnySystem,
                places.UserCache,
                "*/.cache/",
                "*/.config/google-chrome/Default/Cookies",
                "*/.config/google-chrome/Default/Cookies-journal",
            ],
            (Groups.TemporaryFiles, _) => [places.Temporary, "*/lost+found/", "*~", "/tmp/"],
            _ => ["/lib/", "/lib64/", "/opt/", "/usr/"],
        };

    private static string[] OfAnySystem =>
        [
            "*/Duplicati/control_dir_v2/",
            "*/Google/Chrome/*cache*",
            "*/Google/Chrome/*LOCK*",
            "*/Google/Chrome/*Current*",
            "*/Google/Chrome/Safe Browsing*",
            "*/iPhoto Library/iPod Photo Cache/",
            "*/Mozilla/Firefox/*cache*",
            "*/cookies.sqlite-*",
            "*/permissions.sqlite-*",
        ];
}
