# Files as they come, at the first try: what is said of them is true, and helps.
# A decimal comma cuts no table: where the separator found cuts the first line like the rest, no title stands there.
printf '%s\n' ';b;y' '1;1,5;2,5' '2;1,7;3,5' '3;1,9;3,1' >nameless.csv
run linpred fit regression nameless.csv
printf '%s\n' 'a;b;y' '1;1,5;2,5 €' '2;1,7;3,5 €' '3;1,9;3,1 €' >euros.csv
run linpred fit regression euros.csv
printf '%s\n' 'a;b;y' '1;1,5;2,5' '2;1,7' '3;1,9;3,1' '4;1,5;2,5' '5;1,7;2,0' '6;1,7;2,0' >short.csv
run linpred fit regression short.csv
printf '%s\n' '"a";"y"' '"r1";1,5;2,5' '"r2";1,7;x,5' '"r3";1,9;3,1' >rows.csv
run linpred fit regression rows.csv -t y
printf '%s\n' 'Sales, of the year' 'a;b;y' '1;1,5;2' '2;1,7;3' '3;1,9;x' >title.csv # a title with a comma is one
run linpred fit regression title.csv
# Numbers with something besides their digits in every cell: the column is text, and it is said.
for cell in '% kg' %m² 'CHF %' '% EUR' '% °C' '~%' '<%' 'ca. %' '(%)' '%-' '−%' '%,-' "CHF 1'%.-" '% km/h' '%m2' '€ %.-'; do
    printf '%s\n' 'w;y' "${cell//%/170};1" "${cell//%/280};2" "${cell//%/365};4" "${cell//%/190};7" >units.csv
    run_line 'linpred fit regression units.csv 2>&1 | head -1'
done
run_line 'linpred inspect units.csv | head -1'
printf '%s\n' w,y '70 kg,1' '80 kg,2' '-,3' '75 kg,4' '150 lb,7' >nearly.csv
run_line 'linpred fit regression nearly.csv | head -1'
sqlite3 -csv units.db '.import nearly.csv raw' 'CREATE TABLE t AS SELECT w, CAST(y AS REAL) AS y FROM raw' 'DROP TABLE raw'
run_line 'linpred fit regression units.db | head -1'
printf '%s\n' w,y '70 kg,1' 80,2 75,4 >one.csv
run_line 'linpred fit regression one.csv | head -1'
# Codes, dates, times and ranges are none.
for cells in '1a 2b 3c 4d' 'Q1 Q2 Q3 Q4' '10-20 20-30 30-40 40-50' '10:30 11:30 12:45 13:00' '1st 2nd 3rd 4th' \
    'item1 item2 item3 item4' '<18 18-64 65+ 80+' '1. 2. 3. 4x'; do
    { echo w,y && printf '%s,1\n%s,2\n%s,4\n%s,7\n' $cells; } >codes.csv
    run_line 'linpred fit regression codes.csv | head -1'
done
# A new file in Latin-1: its name of a column is none of the model's.
printf '%s\n' 'Ort;Größe;y' 'Bonn;1;2' 'Ulm;2;4,5' 'Bonn;3;6' 'Ulm;5;9' >towns.csv
linpred fit regression towns.csv --quiet -o towns.json >out.txt
printf 'Ort;Gr\366\337e\nBonn;3\n' >latin.csv
run linpred predict towns.json latin.csv
# A decimal point in a file that commas separate, under a model of decimal commas.
printf '%s\n' Ort,Größe Bonn,125.500 >groups.csv
run linpred predict towns.json groups.csv
printf '%s\n' Ort,Größe Bonn,125.5 >points.csv
run linpred predict towns.json points.csv
printf '%s\n' Ort,Größe Bonn,125 >whole.csv
run linpred predict towns.json whole.csv
# Unknown levels: rows with missing values besides are counted, and a level that is near, or was the only one, is named.
printf '%s\n' plan,land,x,y a,DE,1,1 b,DE,2,3 a,DE,3,4 b,DE,5,4 >plans.csv
linpred fit regression plans.csv --missing drop --quiet -o plans.json >out.txt
printf '%s\n' plan,land,x a,AT,1 gold,DE,NA a,DE,2 >golden.csv
run linpred predict plans.json golden.csv --unknown-level drop
run linpred predict plans.json golden.csv --unknown-level zero
run linpred predict plans.json golden.csv
printf '%s\n' 'Ort;Größe' 'ulm;1' >small.csv
run linpred predict towns.json small.csv
# Columns that have one name.
printf '%s\n' a,x,x,y 1,2,3,4 2,3,3,5 3,5,1,5 4,1,1,9 >twice.csv
linpred fit regression twice.csv --drop 3 --quiet -o first.json >out.txt
linpred fit regression twice.csv --drop 2 --quiet -o second.json >out.txt
printf '%s\n' x,a,x 2,1,100 >other.csv
run linpred predict first.json other.csv
printf '%s\n' x,a 2,1 >single.csv
run linpred predict second.json single.csv
# A label in other capitals.
printf '%s\n' x,y 1,Yes 2,No 3,Yes 2.5,No 4,Yes >answers.csv
linpred fit logistic answers.csv --quiet -o answers.json >out.txt
printf '%s\n' x,y 1,Yes 2,no >lower.csv
run linpred evaluate answers.json lower.csv
# The reason is the reason.
printf '%s\n' 'a;b;y' '1,5;2.5;3' '2,5;3.5;8' '3;4,25;12' '4,5;1;7' >mixed.csv
run_line 'linpred fit regression mixed.csv | head -1'
printf '%s\n' 'x;y' '1.234,5;1' '2.345,6;2' '12.34,5;3' >groups.csv
run_line 'linpred fit regression groups.csv | head -1'
run linpred fit regression answers.csv
printf '%s\n' x,y 1,2 2,4.5 3,6 4,7 >line.csv
linpred fit regression line.csv --quiet -o line.json >out.txt
linpred fit regression line.csv --missing mean --quiet -o mean.json >out.txt
printf '%s\n' x,y 1,2 2,n.a. >lacking.csv
run linpred evaluate line.json lacking.csv
run linpred evaluate mean.json lacking.csv
printf '%s\n' x,y 1,2 ,4 >gap.csv
run linpred evaluate line.json gap.csv
# Numbers beyond 2^53 are identifiers.
{ echo id,x,y && for i in 1 7 3 9 4 2 8 6 5 0; do echo "9876543210987654${i}210,$i,$((i * i % 7))"; done; } >long.csv
run_line 'linpred fit regression long.csv | head -1'
run_line 'linpred inspect long.csv | tail -3'
