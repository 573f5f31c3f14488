// What nearly every file of the page's back end works with.
global using System.Globalization;
global using Restore.Browse.Api;
global using Restore.Browse.Calls;
global using Restore.Browse.Index;
