# Which points halfspaces and balls shatter, with the proof.
printf 'x1,x2\n0,0\n1,0\n0,1\n' >triangle.csv
printf 'x1,x2\n0,0\n1,0\n0,1\n1,1\n' >square.csv
printf 'x1,x2\n0,0\n3,0\n0,3\n1,1\n' >inside.csv
run linpred shatter triangle.csv
run linpred shatter triangle.csv --labels -+- --count
run linpred shatter square.csv
run linpred shatter square.csv --labels ++-- --count
run linpred shatter square.csv --labels +--+
run linpred shatter inside.csv --class ball --count
run linpred shatter triangle.csv --class ball --labels -++
run linpred shatter square.csv --class ball --labels -++-
run linpred shatter inside.csv --class ball --labels ---+
json_of "labelling.realised labelling.centre labelling.radius labelling.verdict" linpred shatter inside.csv --class ball --labels ---+
run linpred shatter triangle.csv --no-intercept
printf '1,2\n2,4\n0,1\n' >parallel.csv
run linpred shatter parallel.csv --no-intercept
printf '1,1\n-2,-2\n' >opposite.csv
run linpred shatter opposite.csv --no-intercept --count
run linpred shatter opposite.csv --no-intercept --labels +-
# One point, the same point twice, decimals that are on no line as doubles.
run_line 'echo 5 | linpred shatter - --count'
run_line 'printf "5,1\n5,1\n" | linpred shatter - --count'
run_line 'printf "0,1\n1,2\n2,3\n" | linpred shatter - --class ball --count'
run_line 'printf "0,0.1\n1,0.2\n2,0.3\n" | linpred shatter - --class ball --count'
# More points than can be: a few of them prove it.
linpred generate separable --rows 50 --columns 3 -o many.csv
json_of "shattered rows columns vc_dimension witness_rows labellings" linpred shatter many.csv --drop y --count
json_of "class shattered rank witness_rows witness_weights witness_labels labelling.realised labelling.verdict labelling.coefficients" \
  linpred shatter triangle.csv --labels +++
json_of "shattered witness_rows witness_weights witness_labels labelling.realised labelling.witness_rows labelling.witness_weights" \
  linpred shatter square.csv --labels -++-
json_of "class intercept shattered witness_labels labellings" linpred shatter square.csv --class ball --count
# Columns, labels of a LIBSVM file, missing values.
printf 'a,b,kind\n0,1,u\n1,1,v\n' >text.csv
run linpred shatter text.csv
run linpred shatter text.csv --drop kind
run linpred shatter text.csv --features a
printf '+1 1:1 3:2\n-1 2:1\n+1 1:5\n' >points.svm
run linpred shatter points.svm --count
run linpred shatter points.svm --no-intercept --quiet
printf 'a,b\n0,1\n,1\n2,2\n' >missing.csv
run linpred shatter missing.csv
run linpred shatter missing.csv --missing drop --labels +-
# What makes no sense.
run linpred shatter triangle.csv --class ball --no-intercept
run linpred shatter triangle.csv --labels +-
run linpred shatter triangle.csv --labels +-x
run linpred shatter triangle.csv --target x1
run linpred shatter triangle.csv --class sphere
run linpred shatter
json_of "error.message error.file" linpred shatter nowhere.csv
