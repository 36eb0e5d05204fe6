// Makes the Parquet files of this folder with three writers that have no code in common, and their CSV twins.
//
//   npm install @duckdb/node-api@1.5.6-r.1 apache-arrow@21.2.0 parquet-wasm@0.8.0 hyparquet-writer@0.16.10
//   node make.mjs FOLDER
//
// DuckDB (C++): each codec, V1 and V2 encodings, several row groups, all types.
// arrow-rs (Rust, through parquet-wasm): pages of version 1 and 2, delta encodings, dictionaries, the Hadoop LZ4 codec.
// hyparquet-writer (JavaScript): byte stream split, FLOAT16, and columns that linpred refuses.
// The tests read the files only; they need none of this.
import { createRequire } from 'node:module';
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
const require = createRequire(process.cwd() + '/');
const { DuckDBInstance } = require('@duckdb/node-api');
const arrow = require('apache-arrow');
const wasm = require('parquet-wasm/node');

const folder = process.argv[2] ?? '.';
mkdirSync(folder, { recursive: true });
const duck = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
const run = (sql) => duck.run(sql.replaceAll('$FOLDER', folder));

// ---- DuckDB ----------------------------------------------------------------------------------------------------------

await run(`CREATE TABLE t AS SELECT
  (i * 7919 % 1000 - 500)::INTEGER AS n,
  (i * 1000003 - 90000000)::BIGINT AS big,
  (i * 37 % 101) / 7.0::DOUBLE AS x,
  ((i * 53 % 97) / 8.0)::FLOAT AS f,
  i % 3 = 0 AS b,
  ['red', 'green', 'dark, red', 'blå'][i % 4 + 1] AS w,
  CASE WHEN i % 11 <> 0 THEN sqrt(i) END AS gap,
  CASE WHEN i % 13 <> 0 THEN 'v' || (i % 5) END AS word_gap,
  (i * 13 % 500 / 100.0)::DECIMAL(5, 2) AS p,
  ((i * 977 % 100003) / 10000.0 - 4)::DECIMAL(18, 4) AS q,
  (i * 31 % 71 - 35.123456)::DECIMAL(38, 6) AS h,
  (i * 11 % 64)::UTINYINT AS u,
  (i * 2 + (i * 37 % 101) / 7.0 + i % 7)::DOUBLE AS y
  FROM range(200) r(i)`);
// Text and truth values as CSV has them.
await run(`COPY (SELECT * REPLACE (b::INTEGER AS b) FROM t) TO '$FOLDER/t.csv' (HEADER)`);
for (const codec of ['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4_raw'])
  await run(`COPY t TO '$FOLDER/duck_${codec}.parquet' (FORMAT parquet, COMPRESSION ${codec})`);
await run(`COPY t TO '$FOLDER/duck_v2.parquet' (FORMAT parquet, PARQUET_VERSION V2, COMPRESSION uncompressed)`);
await run(`COPY t TO '$FOLDER/duck_plain.parquet' (FORMAT parquet, DICTIONARY_SIZE_LIMIT 1, COMPRESSION uncompressed)`);
await run(`COPY t TO '$FOLDER/duck_brotli.parquet' (FORMAT parquet, COMPRESSION brotli)`);

await run(`CREATE TABLE many AS SELECT (i * 7919 % 1000)::INTEGER AS n, CASE WHEN i % 1000 > 3 THEN i % 17 / 4.0 END AS x,
  CASE WHEN i < 3000 THEN ['a', 'b'][i % 2 + 1] ELSE ['c', 'b', 'd'][i % 3 + 1] END AS w, (i % 29)::DOUBLE AS y
  FROM range(7000) r(i)`);
await run(`COPY many TO '$FOLDER/many.csv.gz' (HEADER)`);
await run(`COPY many TO '$FOLDER/duck_many.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048, COMPRESSION zstd)`);
await run(`COPY many TO '$FOLDER/duck_many_v2.parquet' (FORMAT parquet, ROW_GROUP_SIZE 2048, PARQUET_VERSION V2, COMPRESSION zstd)`);

await run(`CREATE TABLE kinds AS SELECT * FROM (VALUES
  (DATE '2024-02-29', TIME '23:59:59.5', TIMESTAMP '1969-12-31 23:59:59.25', TIMESTAMPTZ '2000-01-01 00:00:00Z',
   9007199254740993::BIGINT, 18446744073709551615::UBIGINT, 'NaN'::DOUBLE, 'inf'::DOUBLE, '\\x00\\xFF'::BLOB, [1, 2],
   {'a': 1}, '00000000-0000-0000-0000-000000000001'::UUID, '', NULL::INTEGER, 1),
  (DATE '0001-01-01', TIME '00:00:00', TIMESTAMP '2024-12-31 12:00:00', TIMESTAMPTZ '1999-12-31 23:59:59Z',
   -1, 4294967295, 2.5, 1, '\\x41'::BLOB, [], {'a': 2}, '00000000-0000-0000-0000-000000000001'::UUID, 'x', NULL, 2),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 3)
  ) v(day, time, moment, utc, big, unsigned, nan, inf, bytes, list, struct, id, empty, none, y)`);
await run(`COPY kinds TO '$FOLDER/duck_kinds.parquet' (FORMAT parquet, COMPRESSION uncompressed)`);

// ---- arrow-rs --------------------------------------------------------------------------------------------------------

const rows = 200, row = [...Array(rows).keys()];
const words = ['red', 'green', 'dark, red', 'blå'];
const small = {
  n: arrow.vectorFromArray(row.map((i) => (i * 7919) % 1000 - 500), new arrow.Int32()),
  big: arrow.vectorFromArray(row.map((i) => BigInt(i * 1000003 - 90000000)), new arrow.Int64()),
  x: arrow.vectorFromArray(row.map((i) => ((i * 37) % 101) / 7), new arrow.Float64()),
  f: arrow.vectorFromArray(row.map((i) => ((i * 53) % 97) / 8), new arrow.Float32()),
  b: arrow.vectorFromArray(row.map((i) => i % 3 === 0), new arrow.Bool()),
  w: arrow.vectorFromArray(row.map((i) => words[i % 4]), new arrow.Utf8()),
  gap: arrow.vectorFromArray(row.map((i) => (i % 11 ? Math.sqrt(i) : null)), new arrow.Float64()),
  word_gap: arrow.vectorFromArray(row.map((i) => (i % 13 ? 'v' + (i % 5) : null)), new arrow.Utf8()),
  y: arrow.vectorFromArray(row.map((i) => i * 2 + ((i * 37) % 101) / 7 + (i % 7)), new arrow.Float64()),
};
const text = (v) => (v === null ? '' : /,/.test(v) ? `"${v}"` : typeof v === 'boolean' ? +v : String(v));
const names = Object.keys(small);
writeFileSync(`${folder}/small.csv`, names.join() + '\n' +
  row.map((i) => names.map((name) => text(small[name].get(i))).join() + '\n').join(''));
const { Compression, Encoding, WriterPropertiesBuilder, WriterVersion } = wasm;
const properties = () => new WriterPropertiesBuilder().setCreatedBy('parquet-wasm');
const write = (name, builder) =>
  writeFileSync(`${folder}/${name}.parquet`, wasm.writeParquet(
    wasm.Table.fromIPCStream(arrow.tableToIPC(new arrow.Table(small), 'stream')), builder.build()));
for (const [version, page] of [['v1', WriterVersion.V1], ['v2', WriterVersion.V2]])
  for (const [codec, value] of [['plain', Compression.UNCOMPRESSED], ['snappy', Compression.SNAPPY], ['zstd', Compression.ZSTD]])
    write(`rust_${version}_${codec}`, properties().setWriterVersion(page).setCompression(value));
write('rust_lz4_hadoop', properties().setCompression(Compression.LZ4));
write('rust_pages', properties().setWriterVersion(WriterVersion.V2).setDataPageSizeLimit(256).setWriteBatchSize(16)
  .setMaxRowGroupSize(70).setCompression(Compression.UNCOMPRESSED));
write('rust_delta', properties().setDictionaryEnabled(false).setCompression(Compression.UNCOMPRESSED)
  .setColumnEncoding('n', Encoding.DELTA_BINARY_PACKED).setColumnEncoding('big', Encoding.DELTA_BINARY_PACKED)
  .setColumnEncoding('w', Encoding.DELTA_BYTE_ARRAY).setColumnEncoding('word_gap', Encoding.DELTA_LENGTH_BYTE_ARRAY)
  .setColumnEncoding('b', Encoding.RLE));

// ---- hyparquet-writer ------------------------------------------------------------------------------------------------

const { ByteWriter, parquetWrite } = await import(require.resolve('hyparquet-writer').replace(/^/, 'file://'));
const script = (name, columnData, more = {}) => {
  const writer = new ByteWriter();
  parquetWrite({ writer, columnData, ...more });
  writeFileSync(`${folder}/${name}.parquet`, new Uint8Array(writer.getBuffer()));
};
const column = (name, type, more = {}) => ({ name, data: row.map((i) => small[name].get(i)), type, ...more });
const all = (encoding) => [column('n', 'INT32', encoding), column('big', 'INT64', encoding), column('x', 'DOUBLE', encoding),
  column('f', 'FLOAT', encoding), column('b', 'BOOLEAN'), column('w', 'STRING'), column('gap', 'DOUBLE', encoding),
  column('word_gap', 'STRING'), column('y', 'DOUBLE', encoding)];
script('script_plain', all({}), { codec: 'UNCOMPRESSED' });
script('script_snappy', all({}));
script('script_gzip', all({}), { codec: 'GZIP', compressors: { GZIP: (bytes) => gzipSync(bytes) } });
script('script_split', all({ encoding: 'BYTE_STREAM_SPLIT' }), { codec: 'UNCOMPRESSED', rowGroupSize: 64 });
script('script_half', [{ name: 'h', data: [1, -0.5, 65504, 2 ** -14, null, 0.0999755859375], type: 'FLOAT16' },
  { name: 'y', data: [1, 2, 3, 4, 5, 6], type: 'INT32' }], { codec: 'UNCOMPRESSED' });
console.log('done');
