# What is read without complaint, but probably not meant, is told on standard error; --quiet is quiet.
{
  echo name,x,y
  for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "n$i,$((i * i)),$((i > 6))"; done
} >ids.csv
run_line 'linpred fit halfspace ids.csv >/dev/null'
run_line 'linpred fit halfspace ids.csv --quiet >/dev/null'
run_line 'linpred fit halfspace ids.csv --drop name -o m.json >/dev/null'
run_line 'head -11 ids.csv >few.csv; linpred fit halfspace few.csv >/dev/null'
run_line 'head -10 ids.csv >few.csv; linpred fit halfspace few.csv >/dev/null'
# Numbers that no double holds: neither 2^53 + 1 nor 1e-400; 2^53 + 2, 1e23 and 1e-300 are as good as others.
printf '%s\n' a,b,y 9007199254740992,0.0,1 9007199254740994,1e-300,0 1e23,-0e-999,1 123,0,0 >held.csv
run_line 'linpred fit regression held.csv >/dev/null'
printf '%s\n' a,b,y 1,1,1 2,9007199254740993,0 3,-1e-400,1 4,4e-320,0 5,100000000000000000000000000000000000000001,1 >altered.csv
run_line 'linpred fit regression altered.csv -t a >/dev/null'
run_line 'linpred fit regression altered.csv -t a --drop b >/dev/null'
printf '%s\n' '1 1:1 2:3' '0 1:2 2:9007199254740993' '1 1:1e-400' >altered.svm
run_line 'linpred fit logistic altered.svm --l2 1 -o svm.json >/dev/null'
printf '%s\n' '1 1:1 3:3' '0 1:2 2:4 7:1' >more.svm
run linpred predict svm.json more.svm
# The same of an npy file of whole numbers: 2^53 + 1 and 2, then 2^53 + 2 and 3.
{
  printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }"
  printf '\x01\x00\x00\x00\x00\x00\x20\x00\x02\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x20\x00\x03\x00\x00\x00\x00\x00\x00\x00'
} >altered.npy
run_line 'linpred fit regression altered.npy >/dev/null'
# Weights that prove nothing separates, and predict nothing.
xor >xor.csv
run_line 'linpred separable xor.csv -o proof.json >/dev/null'
run linpred predict proof.json xor.csv
run_line 'linpred fit halfspace xor.csv -o pocket.json >/dev/null'
run linpred predict pocket.json xor.csv
