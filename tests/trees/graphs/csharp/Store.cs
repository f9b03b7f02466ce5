using System.Collections.Generic;

namespace Shop.Storage
{
    public interface IStore
    {
        void Save(string item);
    }

    public abstract class StoreBase : IStore
    {
        protected readonly Journal journal = new Journal();

        public virtual void Save(string item)
        {
            journal.Add(item);
            Flush();
        }

        protected abstract void Flush();
    }

    public class FileStore : StoreBase
    {
        public override void Save(string item)
        {
            base.Save(item);
            this.journal.Write();
        }

        protected override void Flush()
        {
            Journal.Rotate();
        }

        public static FileStore Open()
        {
            return new FileStore();
        }
    }

    public class Cache
    {
        private Dictionary<string, string> items = new Dictionary<string, string>();

        public void Save(string item)
        {
            items.Add(item, item);
            Flush();
        }

        public void Flush()
        {
            items.Clear();
        }
    }

    public class Journal
    {
        public void Add(string line)
        {
            line.Trim();
        }

        public void Write()
        {
            Add("end");
        }

        public static void Rotate()
        {
            new Journal().Write();
        }
    }
}
