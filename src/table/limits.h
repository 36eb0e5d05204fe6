/* Limits of src/table, each with its reason. */
#ifndef LINPRED_TABLE_LIMITS_H
#define LINPRED_TABLE_LIMITS_H

enum {
    /* Bytes of a piece of a text file: 256 KB of text and the numbers it holds fit into a second-level cache. A LIBSVM
       piece of this size usually holds several whole blocks, so that few rows are copied twice. */
    LINPRED__PIECE_BYTES = 1 << 18,
    /* Bytes read before the format is known: 64 KB hold the first lines of nearly every file. */
    LINPRED__HEAD_BYTES = 1 << 16,
    /* Lines from which the separator of a CSV file is guessed. More lines would find no other separator in a file that
       can be read at all. */
    LINPRED__HEAD_LINES = 200,
    /* Bytes between two quotes. Without a limit, a quote that is never closed would read the whole file into memory. */
    LINPRED__MAX_QUOTED_BYTES = 64 << 20,
    /* Bytes of a record. Without a limit, a binary file without line ends would be read into memory as one line. */
    LINPRED__MAX_RECORD_BYTES = 256 << 20,
    /* Bytes of a stream that are kept in memory, in case it must be read again because a column of numbers turns out to
       be text. More are kept in a temporary file. A file is opened again instead. */
    LINPRED__MAX_KEPT_BYTES = 64 << 20,
    /* Bytes of a number with a decimal comma or thousands separators, which is copied to be read. */
    LINPRED__MAX_COPIED_NUMBER = 120,
    /* Pieces within which a column that turns out to be text makes the reader begin again at once. Later it first reads
       on to the end, so that it begins again only once. */
    LINPRED__EARLY_PIECES = 8,
    /* Levels that must look like dates before a text column is said to do so. */
    LINPRED__DATES_LOOKED_AT = 20,
    /* Levels that are looked at before a text column is said to hold numbers with units. */
    LINPRED__UNITS_LOOKED_AT = 20,
    /* Bytes of the longest unit: longer texts behind digits are words, as in 12 Grosvenor. */
    LINPRED__UNIT_BYTES = 12,
    /* Rows from which on a last row that is the sum of the others is said to hold totals. In the tables of textbooks
       with four rows, such as those of AND and XOR, sums come about by chance. */
    LINPRED__MIN_ROWS_OF_TOTALS = 5,
    /* Bytes of an npy header. Real headers have about a hundred; a damaged length must not ask for gigabytes. */
    LINPRED__MAX_NPY_HEADER_BYTES = 1 << 20,
    /* Bytes that are reserved first for an npy array from a stream; the memory then doubles as the stream goes on. */
    LINPRED__NPY_FIRST_BYTES = 1 << 20,
    /* Tables that a message lists, so that it stays one line. */
    LINPRED__MAX_TABLES_SHOWN = 12,
    /* Bytes of the header of an SQLite database; what is shorter is none. */
    LINPRED__SQLITE_HEAD = 100,
    /* Rows of an SQLite database between two looks at the clock, for progress. */
    LINPRED__SQLITE_ROWS = 1024,
    /* Milliseconds that SQLite waits for a database that another program is writing to. */
    LINPRED__SQLITE_WAIT = 5000,
    /* Rows of so few features always stay dense, because loops over short dense rows are faster than over entries.
       Wider rows become sparse if this makes them smaller by the factor LINPRED__SPARSE_SAVES at least. */
    LINPRED__MAX_DENSE_FEATURES = 64,
    LINPRED__SPARSE_SAVES = 2,
    /* Cells that a Parquet file may have, whatever its size, and cells for each of its bytes. Runs of equal values take
       nearly no bytes: 10^8 rows of one constant column took DuckDB 167 KB. So a file of 1 KB may ask for 64 MB,
       and none for more than 32 KB a byte. */
    LINPRED__PARQUET_CELLS = 1 << 22,
    LINPRED__PARQUET_CELLS_A_BYTE = 1 << 12,
    /* Bytes of text that a page of texts with common beginnings may become, whatever its size, and for each byte. */
    LINPRED__PARQUET_PREFIXED = 1 << 24,
    LINPRED__PARQUET_PREFIXED_A_BYTE = 1 << 8,
    /* Bytes by which the bound on a codec's ratio may be exceeded: its headers. */
    LINPRED__PARQUET_SPARE = 64,
    /* How deep structs may be nested in a part of a Parquet footer that is skipped. Those of the format nest 6 deep. */
    LINPRED__PARQUET_DEPTH = 32,
    /* Bytes of a decimal number in a Parquet file: 16 hold 38 digits, the most that common writers offer. */
    LINPRED__PARQUET_DECIMAL_BYTES = 32,
    /* Columns of a Parquet file that are read side by side: the cells of 8 fill a line of the cache. */
    LINPRED__PARQUET_COLUMNS = 8,
    /* Values of a Parquet page that are decoded at a time: a batch stays in the cache of a core. */
    LINPRED__PARQUET_BATCH = 1024,
    /* Bytes that linpred_convert may hold of a table beside what it held before: enough for the blocks that all threads
       work on. */
    LINPRED__SPILL_RESIDENT = 128 << 20,
    /* Labels that a message lists, so that it stays one line. */
    LINPRED__MAX_LABELS_SHOWN = 4,
    /* Levels that a message lists, of all columns together. */
    LINPRED__MAX_LEVELS_SHOWN = 6,
    /* Rows or levels below which no column is suspected to be an identifier: in a file of nine rows a column 1, 2, …, 9
       or nine different words are likely to be data. */
    LINPRED__MIN_IDENTIFIERS = 10,
    /* Entries of the table of a new dictionary, a power of two. Most text columns have fewer than 8 levels. */
    LINPRED__DICTIONARY_SLOTS = 16,
    /* Bytes that a fit needs for each column of sparse rows, measured: its name, coefficient, extent and sums. */
    LINPRED__COLUMN_BYTES = 32,
    /* Rows with fewer entries than one for so many columns have columns that nearly all do not occur. Even hashed words
       of a small file have more. */
    LINPRED__EMPTY_COLUMNS_PER_ENTRY = 8
};

/* The share of free memory that rows may take unless --memory says otherwise; learners need the rest. */
#define LINPRED__MEMORY_SHARE 0.75

/* Bytes for columns that do not occur, beyond which rows are refused: more than a small machine has to spare. The
   largest public sets, with 55 million columns, stay below. */
#define LINPRED__MAX_EMPTY_BYTES 2e9

#endif
