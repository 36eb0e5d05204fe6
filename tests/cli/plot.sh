# Pictures: what is refused and how; check_pictures.py looks at the pictures themselves.
separable >two.csv
linpred fit halfspace two.csv -o two.json >/dev/null
run linpred plot two.json two.csv -o two.svg
head -c 4 two.svg && echo
run_line 'linpred plot two.json two.csv | cmp - two.svg && echo "the same on standard output"'
json_of "picture kind" linpred plot two.json two.csv -o two.svg --kind roc
run linpred plot two.json two.csv -o no.svg --kind rok
run linpred plot two.json two.csv -o no.svg --kind qq
run linpred plot two.json two.csv -o no.svg --axes x1
run linpred plot two.json two.csv -o no.svg --axes x1,x1
run linpred plot two.json two.csv -o no.svg --axes x1,x3
run linpred plot two.json two.csv -o no.svg --axes x1,x2 --project
run linpred plot two.json two.csv -o no.svg --kind roc --axes x1,x2
run linpred plot two.json two.csv -o no.svg --with two.json
run linpred plot two.json two.csv -o no.svg --theme blue
run linpred plot two.json two.csv -o two.csv
run linpred plot two.json two.csv --json
run linpred plot two.json nowhere.csv -o no.svg
# Without rsvg-convert there is no PNG, and a sentence says what to do. The program is looked for before anything else.
run_line 'PATH=/nowhere "$(command -v linpred)" plot two.json two.csv -o two.png'
printf 'x,y\n1,2\n2,3\n3,5\n4,4\n' >line.csv
linpred fit regression line.csv -o line.json >/dev/null
linpred fit regression line.csv --loss absolute -o absolute.json >/dev/null
run linpred plot line.json line.csv --with absolute.json -o line.svg
run linpred plot line.json line.csv --with two.json -o no.svg
printf 'x,z,y\n1,2,2\n2,3,3\n3,5,5\n4,4,4\n5,7,4\n' >three.csv
linpred fit regression three.csv -o three.json >/dev/null
linpred fit regression three.csv --features z -o z.json >/dev/null
linpred fit regression line.csv --degree 2 -o curve.json >/dev/null
run linpred plot line.json line.csv --with three.json -o no.svg
run linpred plot line.json line.csv --with z.json -o no.svg
run linpred plot three.json three.csv --with line.json -o no.svg
run linpred plot line.json line.csv --with curve.json -o line.svg
# What is no picture is not written as one: an SVG in a .jpg opens nowhere.
run linpred plot line.json line.csv -o no.jpg
run linpred plot perceptron two.csv -o no.svg.gz
run linpred plot line.json line.csv -o ./v1.0/no
run linpred plot line.json line.csv -o noending
head -c 4 noending && echo
run linpred plot absolute.json line.csv --kind leverage -o no.svg
ls ./*.svg
# Pictures that are made from data.
run linpred plot perceptron two.csv -o run.svg
run linpred plot separable two.csv --axes x1,x2 --project -o no.svg
run linpred plot perceptron two.csv --method pocket -o no.svg
printf '0,0,1\n1,0,2\n' >space.csv
run linpred plot shatter space.csv -o no.svg
run linpred plot shatter space.csv --features 1,2 -o points.svg
xor >xor.csv
run linpred plot perceptron xor.csv --max-passes 3 -o xor.svg
json_of "picture kind" linpred plot separable xor.csv -o xor.svg
run linpred plot pocket two.csv -o pocket.svg
run linpred plot pocket two.csv --bound -o no.svg
