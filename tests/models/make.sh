#!/usr/bin/env bash
# Makes a model of every task and method in the folder of its version, with the data they are of. Files of a version that
# was released are never made again: they must load for ever.
#
#   tests/models/make.sh PROGRAM FOLDER
set -euo pipefail
program=$(realpath "$1")
cd "$2"
cat >classes.csv <<'DATA'
size,colour,weight,fruit
1,red,1,cherry
4,blue,2,plum
1.5,red,1,cherry
4.7,green,1,plum
2,green,3,cherry
5.5,red,1,plum
DATA
cat >mixed.csv <<'DATA'
a,b,y
1,2,0
2,1,1
3,5,0
4,3,1
5,9,1
6,4,0
7,8,1
2,6,0
,3,1
DATA
cat >numbers.csv <<'DATA'
a,b,sum,y
1,2,3,1.5
2,1,3,2.5
3,5,8,2
4,3,7,6.25
5,9,14,5
6,4,10,9
DATA
printf '1 1:0.5 3:2\n-1 2:1\n1 1:3\n-1 3:-1\n' >sparse.libsvm
fit() { # name, arguments of fit…
  local name=$1
  shift
  "$program" fit "$@" --quiet -o "$name.json" >/dev/null || [ $? -eq 1 ]
}
for method in auto pocket lp margin exact; do
  fit "halfspace_$method" halfspace classes.csv --weights weight --method $method
  fit "halfspace_${method}_mixed" halfspace mixed.csv --method $method --missing mean
done
fit halfspace_perceptron halfspace classes.csv --method perceptron
fit halfspace_perceptron_mixed halfspace mixed.csv --method perceptron --missing mean --max-passes 20
fit halfspace_limit halfspace classes.csv --method perceptron --max-passes 1
fit halfspace_usual halfspace classes.csv --method margin --norm without-intercept --weights weight
fit halfspace_bound halfspace classes.csv --method perceptron --bound
fit halfspace_origin halfspace mixed.csv --no-intercept --missing drop
fit halfspace_costs halfspace mixed.csv --method exact --cost 1:3 --missing drop
fit halfspace_sparse halfspace sparse.libsvm
for method in auto lp pocket exact; do
  fit "ball_$method" ball classes.csv --method $method --weights weight
  fit "ball_${method}_mixed" ball mixed.csv --method $method --missing drop
done
fit ball_outside ball classes.csv --outside --weights weight
fit logistic logistic mixed.csv --missing mean
fit logistic_newton_cg logistic mixed.csv --method newton-cg --missing drop
fit logistic_penalty logistic classes.csv --l2 0.1 --weights weight
fit logistic_classes logistic mixed.csv --class-weights balanced --missing drop
fit logistic_stopped logistic mixed.csv --max-seconds 0 --missing drop
fit squares regression numbers.csv
fit squares_penalty regression numbers.csv --l2 0.5
fit squares_powers regression numbers.csv --features a --degree 3
fit squares_origin regression numbers.csv --no-intercept --drop sum
fit absolute regression numbers.csv --loss absolute
fit absolute_quantile regression numbers.csv --loss absolute --quantile 0.25
ls
