using System.Globalization;
using System.Reflection;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace Restore.Benchmarks.Micro;

/// <summary>MB/s (of 10^6 bytes), for benchmarks that declare the bytes of an operation.</summary>
internal sealed class ThroughputColumn : IColumn
{
    private const double NanosecondsPerSecond = 1e9;

    public string Id => nameof(ThroughputColumn);

    public string ColumnName => "MB/s";

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public string Legend => "Megabytes (10^6 bytes) in a second";

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        long? bytes = benchmarkCase.Descriptor.WorkloadMethod.GetCustomAttribute<BytesPerOperationAttribute>()?.Bytes;
        double? mean = summary[benchmarkCase]?.ResultStatistics?.Mean;
        return bytes is null || mean is null or 0
            ? "-"
            : (bytes.Value / mean.Value * NanosecondsPerSecond / 1e6).ToString("F0", CultureInfo.InvariantCulture);
    }

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) =>
        GetValue(summary, benchmarkCase);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public bool IsAvailable(Summary summary) => true;
}
