// What nearly every file of the page works with.
global using System.Globalization;
global using Microsoft.AspNetCore.Http;
global using Restore.Browse;
global using Restore.Browse.Api;
global using Restore.Browse.Calls;
global using Restore.Browse.Index;
global using Restore.Web.Http;
