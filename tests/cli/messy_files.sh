# Messy files: what may be read in two ways is said in a notice that names the option, and no row is lost in silence.
# A missing value that begins with the mark of comments is a row, under a model that skips comments too.
printf '%s\n' '# made by X' x,z,y 1,2,3 2,5,4 4,1,7 3,3,5 >commented.csv
linpred fit regression commented.csv --comment '#' --quiet -o commented.json >out.txt
printf '%s\n' '# new' x,z,id 1,2,a '#N/A,4,b' 5,6,c '  #NA ,1,d' >new.csv
run linpred predict commented.json new.csv
run linpred predict commented.json new.csv --missing drop --keep id
printf '%s\n' x,y 1,2 '#N/A,4' 3,5 4,7 >first.csv
run_line 'linpred fit regression first.csv --missing drop | head -2'
run_line "linpred fit regression first.csv --missing drop --na '#N/A' | head -2"
run_line "linpred fit regression first.csv --missing drop --comment '#' | head -2"
printf '%s\n' note,x '#N/A,"two' 'lines"' 'b,2' >quoted.csv
run linpred inspect quoted.csv --comment '#'
# A comment that has the fields of a row is counted; one that has not is none of anybody's business.
printf '%s\n' x,y 1,2 '#2,3' 3,5 '# words, and words' '#4,6' 4,7 >hidden.csv
run_line "linpred fit regression hidden.csv --comment '#' | head -1"
printf '%s\n' x,y 1,2 '#2,3' 3,5 >hash.csv
run linpred fit regression hash.csv
# Markers of missing values in text columns and labels.
printf '%s\n' city,x,y Bonn,1,3 '#N/A',2,4 Kiel,.,5 NULL,4,6 Bonn,5,8 Kiel,3,2 >cities.csv
run_line 'linpred fit regression cities.csv --missing drop | head -1'
run_line "linpred fit regression cities.csv --missing drop --na 'NA,?,.,#N/A,NULL' | head -2"
printf '%s\n' x,ok 1,yes 2,no 3,yes 4,N/A 5,no >labels.csv
run linpred fit logistic labels.csv
printf '%s\n' x,ok 1,yes 2,N/A 3,yes 4,N/A 5,yes 6,N/A 2.5,yes >two.csv
run_line 'linpred fit halfspace two.csv | head -1'
# 1.850 where semicolons separate: a decimal point, unless something tells otherwise, and it is said.
printf '%s\n' 'pay;age' '1.850;23' '2.310;31' '3.475;44' >pay.csv
run_line 'linpred fit regression pay.csv | head -1'
run_line 'linpred inspect pay.csv --decimal , | grep pay'
printf '%s\n' 'pay;rate' '1.850;2,5' '2.310;3,25' '3.475;4,5' >pay2.csv
run_line 'linpred inspect pay2.csv | grep pay'
# The model's decimal mark decides where the file does not.
printf '%s\n' 'x;y' '1.5;2' '2.5;4' '3.25;5' >point.csv
printf '%s\n' 'x;y' '1,5;2' '2,5;4' '3,25;5' >comma.csv
linpred fit regression point.csv --quiet -o point.json >out.txt
linpred fit regression comma.csv --quiet -o comma.json >out.txt
printf '%s\n' 'x;z' '1,234;1' >either.csv
printf '%s\n' 'x;z' '1.234;1' >groups.csv
for file in either.csv groups.csv comma.csv point.csv; do
    run linpred predict point.json $file
    run linpred predict comma.json $file
done
# What --decimal does with the number shown is what the notice says.
printf '%s\n' 'a;b;c' '1.000,5;2.000;3' '2.000,5;3.000;4' >grouped.csv
run_line 'linpred inspect grouped.csv | head -1'
# Codes.
printf '%s\n' zip,hex,x,y 01234,12e3,1,2 10115,45e1,2e5,3 00501,77,0.5,4 99999,100,00.5,6 >codes.csv
run_line 'linpred fit regression codes.csv | head -1'
run_line 'linpred fit regression codes.csv --text zip,hex | grep text'
# One column in two options.
printf '%s\n' d,y 2024-01-31,1 2024-02-01,2 2024-02-05,5 >day.csv
run linpred fit regression day.csv --text d --date d
run linpred fit regression day.csv --text 1 --date d
# A blank line of a file of one column is a missing value, but not after the last row.
printf '%s\n' x,y 1,2 2,4.5 3,6 >line.csv
linpred fit regression line.csv --quiet -o line.json >out.txt
printf '%s\n' x 1 '' '  ' 3 '' '' >blank.csv
run linpred predict line.json blank.csv
run linpred predict line.json blank.csv --missing drop
run_line 'linpred inspect blank.csv | head -2'
run_line "printf 'x\n\n\n' | linpred predict line.json -"
# Dates in other forms than 2024-01-31.
for day in '2024-01-31 10:00:00+02:00' 20240131 31-Jan-2024 '"Jan 31, 2024"' 31.1.2024 1/31/2024 '1/31/2024 9:30 AM' 31.01.24 2024-01; do
    printf '%s\n' d,y "$day,1" "$day,2" "$day,4" >dates.csv
    run_line 'linpred inspect dates.csv 2>&1 | head -1'
    run_line 'linpred inspect dates.csv --date d --quiet | grep " d "'
done
# --date and --na for SQLite and Parquet; a kept date is a date.
sqlite3 d.db "CREATE TABLE t(d TEXT, city TEXT, x, y REAL)" "INSERT INTO t VALUES('2024-01-31','Bonn',1,2),('2024-02-01','N/A',2,3),('05.02.2024 12:00','Kiel',-9,5),('2024-02-07','Bonn','N/A',4),('2024-02-09','Kiel',7,4)"
run linpred fit regression d.db
run_line 'linpred fit regression d.db --drop x 2>&1 | grep linpred:'
run_line "linpred fit regression d.db --date d --na N/A,-9 --missing drop -o d.json | head -5"
run_line "linpred predict d.json d.db --keep d,x --missing drop | cut -d, -f1,2"
run_line "sqlite3 -csv -header d.db 'SELECT d,city,x FROM t' | linpred predict d.json - --keep d,x --missing drop | cut -d, -f1,2"
run linpred fit regression d.db --date city
run linpred fit regression d.db --date y
run_line "linpred inspect d.db --date d --na N/A,-9 | tail -4"
cp "$SOURCE"/tests/data/parquet/duck_kinds.parquet .
run_line "linpred inspect duck_kinds.parquet --date day,moment,utc --na 1999-12-31\ 23:59:59Z,-1 | grep -E ' (day|moment|utc|big) '"
run linpred inspect duck_kinds.parquet --date y --skip 1
# The fit skipped a line that the new file does not have: its names, or its rows, are not lost.
printf '%s\n' junk x,z,y 1,2,3 2,5,4 4,1,7 3,3,5 >junk.csv
linpred fit regression junk.csv --skip 1 --quiet -o junk.json >out.txt
printf '%s\n' x,z 1,2 5,6 >clean.csv
printf '%s\n' junk x,z 1,2 >same.csv
printf '%s\n' junk u,z 1,2 >other.csv
for file in clean.csv same.csv other.csv; do run linpred predict junk.json $file; done
run_line 'cat clean.csv | linpred predict junk.json - | tail -1'
printf '%s\n' junk 1,2,3 2,5,4 4,1,7 3,3,5 >nameless.csv
linpred fit regression nameless.csv --skip 1 --quiet -o nameless.json >out.txt
printf '%s\n' 1,2 5,6 >rows.csv
run linpred predict nameless.json rows.csv
run linpred predict nameless.json rows.csv --skip 0
# A title before the table, another separator, a separator at the end of lines, Latin-1, powers of dates.
printf '%s\n' 'Report Q3' '' length,width,y 1,2,3 2,5,4 4,1,7 3,3,5 >title.csv
run linpred fit regression title.csv
run_line 'linpred fit regression title.csv --skip 2 | head -1'
printf '%s\n' 'x|y' '1|2' '2|4' '3|5' >pipe.csv
run_line 'linpred inspect pipe.csv | head -2'
printf '%s\n' 'x;y;' '1;2;' '2;4;' '3;5;' >end.csv
run linpred fit regression end.csv
run_line 'linpred fit regression end.csv --target y --drop 3 -o end.json | head -2'
run linpred predict end.json end.csv
printf '%b\n' 'x,gr\0366\0337e,y' 1,5,2 2,6,4 >latin.csv
run linpred fit regression latin.csv
printf '%b\n' g,y 'M\0374nchen,1' Bonn,2 >latin2.csv
run linpred fit regression latin2.csv
printf '%s\n' d,y 2024-01-31,1 2024-02-01,2 2024-02-05,5 >on.csv
run linpred fit regression on.csv --degree 2 --on d
printf '%s\n' a,b,y 1,2,3, 4,5,1, 7,7,2, >longer.csv
run_line 'linpred fit regression longer.csv | head -2'
# Rows that end with a separator under a first line that does not.
printf '%s\n' a,b,y 1.5,2,3, 4,5,1, '7,7,2, ' >open.csv
run linpred inspect open.csv
run_line 'linpred fit regression open.csv -o open.json | head -2'
run linpred predict open.json open.csv
for i in $(seq 250); do echo 1,2,3,; done >>open.csv
echo 1,2,3,4 >>open.csv
run linpred inspect open.csv
printf '%s\n' name,b,y x,2,3, y,5,1, z,7,2, >either.csv
run linpred fit regression either.csv
printf '%s\n' a,b,y 1,2,3,, 4,5,1,, 7,7,2,, >two_open.csv
run linpred fit regression two_open.csv
printf '%s\n' a,b,y 1,2,3 4,5,1, 7,7,2 >one_open.csv
run linpred fit regression one_open.csv
# A title that has as many separators as the rows.
printf '%s\n' 'Report;;' ';;' 'a;b;y' '1;2;3' '2;5;4' '4;1;7' '3;3;5' >padded.csv
run linpred fit regression padded.csv
run_line 'linpred inspect padded.csv | head -1'
run_line 'linpred fit regression padded.csv --skip 2 | head -1'
printf '%s\n' ',a,b' 'r1,1,2' 'r2,2,3' >no_title.csv # a name is missing, and there is no title
run linpred fit regression no_title.csv
# A blank line before the first value of a file of one column without a name.
printf '%s\n' '' 1 '' 3 '' >first_blank.csv
printf '%s\n' x1,y 1,2 2,4.5 3,6 >numbered.csv
linpred fit regression numbered.csv --quiet -o numbered.json >out.txt
run linpred predict numbered.json first_blank.csv --missing drop
run linpred predict numbered.json first_blank.csv
# N/A in a text column of a new file, which no row of the fit had.
printf '%s\n' city,x,y Bonn,1,2 Kiel,2,4.5 Bonn,3,6 Kiel,5,5 >towns.csv
linpred fit regression towns.csv --quiet -o towns.json >out.txt
printf '%s\n' city,x,y Bonn,1,2 N/A,2,3 Kiel,1,3 NULL,4,1 N/A,1,1 >unknown.csv
run linpred predict towns.json unknown.csv
run linpred predict towns.json unknown.csv --missing drop
run linpred predict towns.json unknown.csv --unknown-level drop
run linpred evaluate towns.json unknown.csv
run_line 'linpred evaluate towns.json unknown.csv --missing drop | head -1'
printf '%s\n' city,x,y Bonn,1,2 N/A,2,4.5 Bonn,3,6 N/A,5,5 >level.csv # here it is a level
linpred fit regression level.csv --missing drop --quiet -o level.json >out.txt
run_line 'linpred predict level.json level.csv --missing drop | wc -l'
