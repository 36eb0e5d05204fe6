# What else people hand over: totals, notes below the table, units, odd signs, files that are no tables.
printf '%s\n' shop,staff,sales Bonn,12,1250.5 Ulm,5,410.25 Kiel,7,700 Hof,3,99.75 Sum,27,2460.5 >totals.csv
run_line 'linpred fit regression totals.csv --drop shop | head -1'
run_line 'linpred inspect totals.csv | head -1'
run_line 'head -5 totals.csv | linpred fit regression - --drop shop | head -1'
printf '%s\n' x,y 1,2 2,4 3,1 4,3 10,3 >one_sum.csv # one column of two: by chance
run_line 'linpred fit regression one_sum.csv | head -1'
printf '%s\n' a,b,y 0,0,0 0,1,0 1,0,0 1,1,1 >and.csv
run_line 'linpred inspect and.csv | head -1'
printf '%s\n' x,y 1,2 2,4 3,7 '' 'Source: the office' >note.csv
run linpred fit regression note.csv
printf '%s\n' x,y 1,2 2 3,7 >short.csv
run linpred fit regression short.csv
# A unit, a dash, parentheses: the column is text, and the sentence says why.
for value in 5kg '7 kg' '3.5 km/h' '20 °C' '1 200 EUR' 12A '(5)' '(five)' −5 –5 –; do
    printf '%s\n' 'x;y' "$value;1" '2;2' '4;4' >cell.csv
    run_line 'linpred inspect cell.csv | grep " x "'
done
printf '%s\n' x,y 5kg,1 '7 kg',2 8kg,4 >kilos.csv # so it is where every cell has a unit
run_line 'linpred fit regression kilos.csv | head -1'
printf '%s\n' x,y 12A,1 7B,2 8A,4 >codes.csv
run_line 'linpred fit regression codes.csv | head -1'
printf '%s\n' 100m,400m,points 11.2,49.5,8000 10.9,48.1,8400 11.6,51,7600 >runs.csv # but these are names
run_line 'linpred fit regression runs.csv | head -1'
# No tables.
printf '%s\n' 'PRAGMA foreign_keys=OFF;' 'BEGIN TRANSACTION;' 'INSERT INTO t VALUES(1,2);' >dump.sql
printf '%s\n' '[{"x": 1, "y": 2},' '{"x": 2, "y": 3}]' >rows.json
printf '%s\n' '<!doctype html>' '<p>Not found, sorry</p>' >page.csv
for file in dump.sql rows.json page.csv; do run linpred inspect $file; done
run_line 'linpred inspect page.csv --format csv | head -1'
