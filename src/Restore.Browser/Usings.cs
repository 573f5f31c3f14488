global using System.Runtime.InteropServices.JavaScript;
global using Restore.Browse;
global using Restore.Browse.Calls;
using System.Runtime.Versioning;

[assembly: SupportedOSPlatform("browser")]
