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
