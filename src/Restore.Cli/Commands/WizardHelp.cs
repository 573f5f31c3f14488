namespace Restore.Cli.Commands;

/// <summary>What the guide says to a question mark.</summary>
internal static class WizardHelp
{
    public static readonly IReadOnlyList<string> Start =
    [
        "1  opens the versions and files of the backup in your browser, and restores there what you pick",
        "2  asks for version, files and folder in this window, and shows the plan before anything is written",
    ];

    public static readonly IReadOnlyList<string> PageTarget =
    [
        "A folder, which is created if it does not exist: ~/restored. The page can restore into it and into folders below it",
        "Without one, the page shows the backup and saves single files through the browser",
    ];

    public static readonly IReadOnlyList<string> Backup =
    [
        "The folder with the files duplicati-*.dlist, .dindex and .dblock, or a disk or folder up to two levels above it:",
        "    /mnt/backup    /media/ann/usb-disk    ~/backup",
        "Or the address of a store; a user and a password that it wants are asked for:",
        "    ssh://ann@host/home/ann/backup    webdavs://cloud.example.com/dav/backup    s3://bucket/folder?s3-server-name=HOST",
        "'restore stores' lists all kinds. If you do not know where it is: 'restore jobs /mnt/old-disk' finds it in Duplicati's settings",
    ];

    public static readonly IReadOnlyList<string> Folder =
    [
        "The number in front of the folder. Duplicati makes one folder for each job",
    ];

    public static readonly IReadOnlyList<string> Version =
    [
        "A version is the state of the files at the time of a backup; the list above has them, the newest first:",
        "    3                 the version with this number",
        "    2026-01-31        the newest version of that day or before it",
        "    2026-01-31T18:00  the newest one at that time or before it",
        "    2W                the newest one that is at least two weeks old",
        "    g                 each file from the newest version in which it is good: after an attack or an accident",
        "    b                 look into all versions with the browser",
    ];

    public static readonly IReadOnlyList<string> What =
    [
        "    notes.txt            files of that name, wherever they are",
        "    /home/ann/photos     a folder and all that is in it",
        "    '*.jpg'              * is any run of characters, ? any one",
        "    b                    look into the backup with the browser, and choose there",
        "An empty answer restores everything",
    ];

    public static readonly IReadOnlyList<string> Target =
    [
        "A folder, which is created if it does not exist: /mnt/new-disk, ~/restored. What is in it already stays",
        "'original' puts the files back where they were when they were backed up",
        "Before anything is written, you see what would be done",
    ];
}
