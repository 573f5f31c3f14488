// What nearly every file of the page works with.
global using System.Globalization;
global using Microsoft.AspNetCore.Http;
global using Restore.Web.Api;
global using Restore.Web.Http;
global using Restore.Web.Index;
