using System;
using Shop.Storage;
using Memory = Shop.Storage.Cache;

namespace Shop
{
    public class App
    {
        private readonly IStore store;
        private Memory memory = new Memory();

        public Cache Spare { get; set; }

        public App(IStore store)
        {
            this.store = store;
        }

        public void Run(string[] names)
        {
            store.Save("x");
            memory.Flush();
            Spare.Save("y");
            Prices.Total(1);
            Helper();
            Console.WriteLine(names);
        }

        private void Helper()
        {
            var file = FileStore.Open();
            var cache = new Cache();
            cache.Save("z");
            Shadow(file, null);
        }

        private void Shadow(FileStore store, Action Helper)
        {
            store.Save("file");
            Helper();
        }

        public static void Main()
        {
            App app = new App(FileStore.Open());
            app.Run(null);
        }
    }

    public static class Prices
    {
        public static int Total(int value)
        {
            return Round(value);
        }

        public static int Total(int value, int rate)
        {
            return Total(value * rate);
        }

        private static int Round(int value)
        {
            return (int)Math.Round(1.0 * value);
        }
    }
}
