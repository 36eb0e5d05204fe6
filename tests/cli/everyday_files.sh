# Files as people have them. What is guessed is said in a notice, and an option overrules it.
show() { run linpred inspect "$@"; }
# Columns that are not used are not judged: ids beyond the range of doubles, free text, broken quotes, nan.
printf '%s\n' 'id,note,junk,x,y' '9e999,5" pipe,nan,1,2' '1e5,"a"b,inf,2,3' 'fffe,<0.1,-,3,5' '7,,1e400,4,4' >unused.csv
run_line 'linpred fit regression unused.csv --features x -o unused.json | head -3'
run linpred verify unused.json unused.csv
run linpred predict unused.json unused.csv
run_line 'linpred fit regression unused.csv --drop id,note,junk | head -3'
run linpred fit regression unused.csv --drop id,junk
show unused.csv
# A broken record still stops.
printf '%s\n' 'id,x,y' 'a,1,2' 'b,2' >short.csv
run linpred fit regression short.csv --drop id
# Columns with one name can be dropped, or chosen by number; the model remembers which.
printf '%s\n' u,u,x,y 1,5,1,2 2,2,2,3 3,3,3,4.5 4,9,5,1 >twice.csv
run linpred fit regression twice.csv
run linpred fit regression twice.csv --features u
run linpred fit regression twice.csv -t u
run_line 'linpred fit regression twice.csv --drop u | head -2'
run_line 'linpred fit regression twice.csv --features 2,x -o twice.json | head -2'
run_line 'linpred verify twice.json twice.csv | head -1'
printf '%s\n' u,x 5,1 >once.csv
run_line 'linpred predict twice.json once.csv | wc -l'
linpred fit regression once.csv -o one.json >out.txt 2>&1 # one row, so that x = 1
run linpred predict one.json twice.csv
# What a column is gets decided from its values.
printf '%s\n' dose,y 1,2 '<0.1',3 4,5 10%,6 >mixed.csv
show mixed.csv
run_line 'linpred fit regression mixed.csv | head -3'
run_line 'cat mixed.csv | linpred fit regression - --quiet | head -3'
run linpred fit regression mixed.csv -t dose --features y
# Missing values. The usual markers count among numbers; among words they are words.
printf '%s\n' a,kind,y 1,x,2 NULL,NULL,3 4,N/A,5 .,x,2 7,.,1 >na.csv
show na.csv
run linpred fit regression na.csv --features a
run_line 'linpred fit regression na.csv --features a --missing drop -o na.json | head -2'
printf '%s\n' a,y 1,2 -999,3 4,5 -999.0,2 7,1 NA,3 >coded.csv
run_line 'linpred fit regression coded.csv --na -999,NA --missing drop -o coded.json | head -2'
run linpred fit regression coded.csv --na -999 --missing drop -t a
run_line 'linpred verify coded.json coded.csv | head -1'
run linpred predict coded.json coded.csv
run linpred predict coded.json coded.csv --na NA
run linpred predict coded.json coded.csv --text a
# Decimal commas, thousands, Excel's sep= line, R's write.table, UTF-16.
printf '%s\n' 'a;b;y' '1,5;2;3' '2,25;3;4' '3;1;9,5' '4;4;1' >comma.csv
show comma.csv
run_line 'linpred fit regression comma.csv -o comma.json | head -2'
run_line 'linpred verify comma.json comma.csv | head -1'
printf '%s\n' 'a;b' '1,234;5' >doubtful.csv
run linpred predict comma.json doubtful.csv
run linpred predict comma.json doubtful.csv --decimal .
printf '%s\n' a,b 1.234,5 >point.csv # commas separate, so they are no decimal marks
run linpred predict comma.json point.csv
printf '%s\n' 'a;b' '1.5;5' >point.csv
run linpred predict comma.json point.csv
show comma.csv --decimal .
show comma.csv --decimal x
printf '%s\n' a,y '"1,234",2' '"5,000.5",3' 4,5 >thousands.csv
show thousands.csv
printf '%s\n' 'a;y' '1.234,5;2' '1.000;3' '2;5' >german.csv
show german.csv
printf '%s\r\n' 'sep=;' 'a;y' '1,2;3' '2;4' >excel.csv
show excel.csv
printf '%s\n' '"a" "b" "y"' '"r1" 2 3 4' '"r2" 4 4 5' '"r3" 1 2 9' '"r4" 1 3 8' >r.txt
show r.txt
run_line 'linpred fit regression r.txt -o r.json | head -2'
run_line 'linpred verify r.json r.txt | head -1'
run_line 'linpred fit regression r.txt --features row.names,a | head -3'
for charset in UTF-16LE UTF-16BE UTF-8; do
  printf '\xef\xbb\xbfgröße,y\n1,2\n2,3\n' | iconv -f UTF-8 -t $charset >$charset.csv
  run_line "linpred inspect $charset.csv | tail -2"
  printf 'größe,y\n1,2\n2,3\n𝄞,4\n' | iconv -f UTF-8 -t $charset | linpred inspect - --quiet | tail -2
done
# Lines to skip, comments, dates.
printf '%s\n' 'Report of "today' '' '% taken by hand' 'day,y' 2024-01-31,1 '% "a, b' 2024-03-01,2 2024-03-05T12:00,2.5 >report.csv
show report.csv
show report.csv --skip 2 --comment %
run_line 'linpred fit regression report.csv --skip 2 --comment % --date day -o report.json'
run_line 'linpred verify report.json report.csv | head -1'
printf '%s\n' day 2024-03-02 02.03.2024 >days.csv
run linpred predict report.json days.csv --skip 0
run linpred predict report.json days.csv
printf '%s\n' day 2024-02-30 >nosuchday.csv
run linpred predict report.json nosuchday.csv --skip 0
run linpred inspect nosuchday.csv --date day
printf '%s\n' day,y 1/2/2024,1 1/3/2024,2 >slashes.csv
run linpred inspect slashes.csv
printf '%s\n' '# by hand' a,y 1,2 >hash.csv
show hash.csv
# A file of nothing but a blank; a file whose lines are all skipped.
printf ' ' >blank.csv
show blank.csv
show days.csv --skip 9
# Options that would be ignored are errors.
printf '%s\n' '1 1:2' '-1 1:3' >rows.svm
for option in '--na x' '--decimal ,' '--skip 1' '--comment %' '--date x1'; do
  # shellcheck disable=SC2086
  show rows.svm $option
done
# What inspect is given it shows.
printf 'n\xe4me,2020\nx"y,1\n\xff,2\n' >latin.csv
show latin.csv
run linpred fit regression latin.csv --header yes
printf '%s\n' a_rather_long_level_of_thirty_ch,1 a_rather_long_level_of_thirty_chX,2 >long.csv
show long.csv --header no
# After the guesses, notices are also values.
json_of "notices" linpred fit regression comma.csv
json_of "notices" linpred inspect mixed.csv
