namespace Restore.Interop;

/// <summary>Error numbers of Linux on x64 and arm64.</summary>
internal static class Errno
{
    public const int NotPermitted = 1;
    public const int NoEntry = 2;
    public const int Interrupted = 4;
    public const int InputOutput = 5;
    public const int NoSuchDevice = 6;
    public const int ListTooLong = 7;
    public const int TryAgain = 11;
    public const int AccessDenied = 13;
    public const int Exists = 17;
    public const int NoDevice = 19;
    public const int NotFolder = 20;
    public const int IsFolder = 21;
    public const int Invalid = 22;
    public const int TooManyInSystem = 23;
    public const int TooManyOpen = 24;
    public const int TextBusy = 26;
    public const int TooBig = 27;
    public const int NoSpace = 28;
    public const int ReadOnly = 30;
    public const int Range = 34;
    public const int NameTooLong = 36;
    public const int NotImplemented = 38;
    public const int Loop = 40;
    public const int NoData = 61;
    public const int NotSupported = 95;
    public const int NotConnected = 107;
    public const int Stale = 116;
    public const int QuotaExceeded = 122;
}
