cp "$SOURCE"/examples/data/birthwt.csv .
run linpred fit halfspace birthwt.csv -t low --features race,age --method pocket --max-passes 5 -o model.json
printf 'race,age\nwhite,20\nblack,30\nother,40\n' >new.csv
run linpred predict model.json new.csv --what score
printf 'age,race\n20,white\n20,martian\n' >new.csv
run linpred predict model.json new.csv
run linpred predict model.json new.csv --unknown-level zero --what score
# A blank line before the row: the line of the row is not known, and none is named.
printf 'age,race\n20,white\n\n20,martian\n' >blank.csv
run linpred predict model.json blank.csv
printf 'race\nwhite\n' >new.csv
run linpred predict model.json new.csv
printf 'race,age\n1,20\n2,20\n' >new.csv
run linpred predict model.json new.csv
printf 'race,age\nwhite,young\n' >new.csv
run linpred predict model.json new.csv
{ echo id,y; for i in $(seq 1001); do echo "a$i,$((i % 2))"; done; } >many.csv
run linpred fit halfspace many.csv | head -6
printf '%s\n' one,x,y same,1,0 same,2,1 >same.csv
run linpred fit halfspace same.csv
# What drop does is what the message says: predict answers NA, evaluate leaves the row out.
printf 'age,race,low\n20,white,low\n20,martian,low\n30,black,normal\n' >labelled.csv
run linpred predict model.json labelled.csv --unknown-level drop
run linpred evaluate model.json labelled.csv
run_line 'linpred evaluate model.json labelled.csv --unknown-level drop | head -2'
