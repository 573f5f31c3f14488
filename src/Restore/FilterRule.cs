namespace Restore;

/// <summary>One <c>--include</c> or <c>--exclude</c>.</summary>
/// <param name="Include">Whether matching entries are selected; if not, they are left out.</param>
/// <param name="Expression">A filter expression: a path, a glob, <c>[a regular expression]</c>, or
/// <c>@a path without wildcards</c>.</param>
public sealed record FilterRule(bool Include, string Expression);
