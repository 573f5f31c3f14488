using System.Reflection;
using Restore.Tests.Support.Machine;
using Xunit.Sdk;
using Xunit.v3;

[assembly: TestFramework(typeof(MachineTestFramework))]

namespace Restore.Tests.Support.Machine;

/// <summary>xunit, but without the tests whose needs this machine does not meet.</summary>
public sealed class MachineTestFramework : XunitTestFramework
{
    protected override ITestFrameworkDiscoverer CreateDiscoverer(Assembly assembly) =>
        new Discoverer(new XunitTestAssembly(assembly));

    private sealed class Discoverer(IXunitTestAssembly assembly) : XunitTestFrameworkDiscoverer(assembly)
    {
        protected override ValueTask<bool> FindTestsForType(
            IXunitTestClass testClass,
            ITestFrameworkDiscoveryOptions discoveryOptions,
            Func<ITestCase, ValueTask<bool>> discoveryCallback
        ) =>
            NeedsAttribute.AreMetFor(testClass.Class)
                ? base.FindTestsForType(testClass, discoveryOptions, discoveryCallback)
                : new(true);

        protected override ValueTask<bool> FindTestsForMethod(
            IXunitTestMethod testMethod,
            ITestFrameworkDiscoveryOptions discoveryOptions,
            Func<ITestCase, ValueTask<bool>> discoveryCallback
        ) =>
            NeedsAttribute.AreMetFor(testMethod.Method)
                ? base.FindTestsForMethod(testMethod, discoveryOptions, discoveryCallback)
                : new(true);
    }
}
