namespace Restore.Cli.Options;

/// <summary>What help, manual and completions ask of an option.</summary>
internal static class OptionDetails
{
    private static readonly string[] Pauses = ["; ", ": ", ". ", " ("];

    extension(Option option)
    {
        public IRestoreOption Details => (IRestoreOption)option;

        public IEnumerable<string> Names => option.Aliases.Prepend(option.Name);

        /// <summary>
        /// What stands for the value in the help; null for a switch, which needs no value.
        /// </summary>
        public string? ValueName => option.HelpName;

        public string? DefaultText => option.Details.DefaultText;

        public string? Range => option.Details.Range;

        public bool IsRepeatable => option.Details.IsRepeatable;

        public IReadOnlyList<string> OtherWords => option.Details.OtherWords;

        public bool TakesValue => option.HelpName is not null;

        public bool NamesFile => option.HelpName is "FILE" or "FOLDER";

        /// <summary>The possible values, if they are words.</summary>
        public string[] Words =>
            option.HelpName is { } name && name.Contains('|', StringComparison.Ordinal) ? name.Split('|') : [];

        /// <summary>
        /// The description up to its first punctuation mark: short enough for a completion.
        /// </summary>
        public string ShortDescription
        {
            get
            {
                var text = option.Description!;
                return text[
                    ..Pauses
                        .Select(pause => text.IndexOf(pause, StringComparison.Ordinal))
                        .Where(at => at > 0)
                        .Append(text.Length)
                        .Min()
                ];
            }
        }

        /// <summary>
        /// The value as the parser takes it. A switch without a value is on, and Duplicati has
        /// several words for on and off.
        /// </summary>
        public (string? Text, string? Error) Spell(string? given)
        {
            if (option.TakesValue)
            {
                return (given, null);
            }

            if (BooleanExpression.TryParse(given, out var isOn))
            {
                return (isOn ? "true" : "false", null);
            }

            var word = option.OtherWords.FirstOrDefault(word => word.Equals(given, StringComparison.OrdinalIgnoreCase));
            var wanted = string.Join(", ", option.OtherWords.Append("true or false"));
            return word is not null ? (word, null) : (null, $"{option.Name}: '{given}' cannot be used; give {wanted}");
        }
    }
}
