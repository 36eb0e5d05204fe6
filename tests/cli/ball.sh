# A ball with one label inside, or a few rows that prove there is none.
cp "$SOURCE"/examples/data/iris.csv .
sed -E 's/versicolor|virginica/other/' iris.csv >setosa.csv
sed -E 's/setosa|virginica/other/' iris.csv >versicolor.csv
run linpred fit ball setosa.csv --positive setosa -o ball.json
run linpred verify ball.json setosa.csv
run linpred inspect ball.json
run linpred evaluate ball.json setosa.csv
printf '%s\n' Petal.Width,Petal.Length,Sepal.Width,Sepal.Length 0.3,1.5,3.6,5.2 1.9,5.1,2.9,6.3 >new.csv
run linpred predict ball.json new.csv
run linpred predict ball.json new.csv --what score
run linpred predict ball.json new.csv --what probability
# The same ball, from the other side.
run linpred fit ball setosa.csv --positive other --outside -o outside.json
run linpred predict outside.json new.csv
# The others lie around versicolor: no ball has them inside.
run linpred fit ball versicolor.csv --positive other --method lp -o none.json
run linpred verify none.json versicolor.csv
# Whether the other label could be inside is told, the default question stays; and a mere proof predicts with a warning.
printf '%s\n' x1,x2,y 0,0,in 1,0,in 0,1,in 3,0,out 0,3,out -3,0,out 0,-3,out >target.csv
run linpred fit ball target.csv --method lp -o proof.json
run linpred predict proof.json target.csv
run linpred fit ball target.csv --outside
run linpred fit ball target.csv --positive in --outside --method lp
json_of "outcome method witness_rows verdict" linpred fit ball versicolor.csv --positive versicolor --max-passes 100
json_of "outcome method centre radius radius_squared empty inside errors coefficients witness_rows verdict" linpred fit ball setosa.csv --positive setosa
# The fewest mistakes of any ball, with proof.
json_of "outcome method errors lower_bound verdict" linpred fit ball versicolor.csv --positive versicolor --method exact -o exact.json
json_of "verdict lower_bound_proved claim" linpred verify exact.json versicolor.csv
sed -E 's/("weights": \["[0-9]+)"/\10"/' exact.json >exacter.json
json_of "verdict" linpred verify exacter.json versicolor.csv --accept-edited
# An edited ball is refuted, and so is an edited proof.
sed -E 's/"radius_squared": .*/"radius_squared": 0.01,/' ball.json >small.json
run linpred verify small.json setosa.csv
run linpred verify small.json setosa.csv --accept-edited
sed -E 's/"radius_squared": .*/"radius_squared": -1,/' ball.json >empty.json
run linpred inspect empty.json --accept-edited
sed -E '0,/"weight": "[0-9]/s//&0/' none.json >forged.json
run linpred verify forged.json versicolor.csv --accept-edited
sed -E 's/"positive": "inside"/"positive": "outside"/' none.json >turned.json
run linpred verify turned.json versicolor.csv --accept-edited
sed -E 's/"positive": "inside"/"positive": "beside"/' none.json >beside.json
run linpred verify beside.json versicolor.csv --accept-edited
# What has no meaning for a ball is refused.
run linpred fit ball setosa.csv --no-intercept
run linpred fit ball setosa.csv --standardize
run linpred fit ball setosa.csv --method margin
run linpred fit ball setosa.csv --method lp --max-passes 3
run linpred fit halfspace setosa.csv --outside
# Dense and sparse rows, one thread and more.
printf '%s\n' x1,x2,y 0,0,in 1,0,in 0,2,in 3,0,out 0,-3,out 3,3,out -2,-2,out >d.csv
printf '%s\n' '+1' '+1 1:1' '+1 2:2' '-1 1:3' '-1 2:-3' '-1 1:3 2:3' '-1 1:-2 2:-2' >d.svm
run linpred fit ball d.csv --positive in -o d.json --quiet
run linpred fit ball d.svm -o s.json --quiet
centre_of() { sed -nE 's/^ *\{"feature": .*, "at": (.*)\},?$/\1/p; /radius_squared/p' "$1"; }
centre_of d.json >d.txt
centre_of s.json >s.txt
same d.txt s.txt "the ball of sparse rows"
