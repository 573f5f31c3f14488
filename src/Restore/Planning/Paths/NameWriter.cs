using Restore.Format.Selection;

namespace Restore.Planning.Paths;

/// <summary>
/// Writes names as the target accepts them. A character that Windows does not accept is written as
/// '%' and its two hexadecimal digits: <c>what?</c> becomes <c>what%3F</c>, <c>end.</c> becomes
/// <c>end%2E</c>, the device name <c>aux.c</c> becomes <c>%61ux.c</c>.
/// </summary>
internal ref struct NameWriter(Span<byte> destination, TargetRules rules)
{
    private readonly Span<byte> destination = destination;

    public int Length { get; private set; }

    public void WriteRoot(scoped ReadOnlySpan<byte> name)
    {
        Separate();
        Append(name);
    }

    /// <summary>Writes a name.</summary>
    /// <returns>Its length at the target, in the unit of the target's limit: UTF-16 units on
    /// Windows, else bytes.</returns>
    public int WriteName(ReadOnlySpan<byte> name)
    {
        Separate();
        int start = Length;
        if (!rules.IsWindows)
        {
            Append(name);
            return name.Length;
        }

        bool isDevice = IsDeviceName(name);
        for (int i = 0; i < name.Length; i++)
        {
            // Windows removes a dot or a space from the end of a name, and opens a device for a
            // device name with any extension: both would end in another file than the plan says.
            bool isBadEnd = i == name.Length - 1 && name[i] is (byte)'.' or (byte)' ';
            AppendWindows(name[i], mustEscape: isBadEnd || (isDevice && i == 0));
        }

        return Encoding.UTF8.GetCharCount(destination[start..Length]);
    }

    /// <summary>
    /// CON, PRN, AUX, NUL, COM0 to COM9, LPT0 to LPT9 (also with ¹ ² ³) and CONIN$, CONOUT$,
    /// whatever their extension.
    /// </summary>
    private static bool IsDeviceName(ReadOnlySpan<byte> name)
    {
        int dot = name.IndexOf((byte)'.');
        ReadOnlySpan<byte> stem = (dot < 0 ? name : name[..dot]).TrimEnd((byte)' ');
        return stem.Length switch
        {
            3 => IsOneOf(stem, "CON"u8, "PRN"u8) || IsOneOf(stem, "AUX"u8, "NUL"u8),
            4 or 5 => IsOneOf(stem[..3], "COM"u8, "LPT"u8) && IsDeviceNumber(stem[3..]),
            6 or 7 => IsOneOf(stem, "CONIN$"u8, "CONOUT$"u8),
            _ => false,
        };
    }

    private static bool IsOneOf(ReadOnlySpan<byte> name, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second) =>
        Ascii.EqualsIgnoreCase(name, first) || Ascii.EqualsIgnoreCase(name, second);

    private static bool IsDeviceNumber(ReadOnlySpan<byte> number) =>
        number is [>= (byte)'0' and <= (byte)'9']
        || number.SequenceEqual("¹"u8)
        || number.SequenceEqual("²"u8)
        || number.SequenceEqual("³"u8);

    private void Separate()
    {
        if (Length > 0)
        {
            destination[Length++] = (byte)'/';
        }
    }

    private void Append(scoped ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(destination[Length..]);
        Length += bytes.Length;
    }

    private void AppendWindows(byte value, bool mustEscape)
    {
        if (!mustEscape && !WindowsPath.ForbiddenInName.Contains((char)value))
        {
            destination[Length++] = value;
            return;
        }

        ReadOnlySpan<byte> digits = "0123456789ABCDEF"u8;
        Append([(byte)'%', digits[value >> 4], digits[value & 15]]);
    }
}
