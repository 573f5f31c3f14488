// What most files of the mount work with.
global using System.Globalization;
global using System.Text;
