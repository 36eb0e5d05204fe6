#!/usr/bin/env bash
# Malformed and awkward files: each is accepted with the right number of rows and features, or rejected with exit code 2
# and one sentence that names the file and the place. Never a crash, a hang, or a model made of something else.
#
#   tests/bad_files.sh PROGRAM
#
# The files are not part of the project: they are looked for in $LINPRED_DATA/bad, then in ../shared/data/bad beside it.
set -uo pipefail
program=${1:-build/linpred}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PATH=$(cd "$(dirname "$program")" && pwd):$PATH
folder=${LINPRED_DATA:+$LINPRED_DATA/bad}
[ -d "${folder:-}" ] || folder=$here/../../shared/data/bad
[ -d "$folder" ] || { echo "skipped: there are no bad files; set LINPRED_DATA to the folder that holds bad/"; exit 77; }
folder=$(cd "$folder" && pwd)
work=$(if [ -w /dev/shm ]; then mktemp -d -p /dev/shm; else mktemp -d; fi) # in memory: models are synced to disk
trap 'rm -rf "$work"' EXIT
seconds=20

# accept FILE ROWS FEATURES [no]       "no": no halfspace separates it, and the outcome says so
# reject FILE LINE COLUMN WORDS…       line and column as in the JSON, - where none is meant; each word must be in the
#                                      message ("_" stands for a blank)
# as_text FILE LINE COLUMN WORDS…      accepted, but a notice says that the column is text because of the cell in this place
# The target is the first column; a file that begins with svm_ is read as LIBSVM whatever it looks like.
table() {
  cat <<'TABLE'
reject empty.csv - - empty
reject only_newline.csv - - nothing
reject header_only.csv - - no_rows
reject header_only_no_newline.csv - - no_rows
reject one_row.csv - 1 all_labels_are_the_same y
reject ragged_short.csv 3 - 2_fields header_has_3
reject ragged_long.csv 3 - 4_fields header_has_3
reject trailing_comma_one_row.csv 3 - 4_fields header_has_3
reject trailing_comma_all_rows.csv 1 4 column_4 no_name
accept no_trailing_newline.csv 4 2
accept blank_lines.csv 2 2
accept whitespace_only_line.csv 2 2
reject comment_lines.csv 1 - '#'
accept no_header.csv 4 2
reject only_label_column.csv - - no_feature
reject duplicate_column_names.csv 1 3 columns_2_and_3 'x1'
reject empty_column_name.csv 1 2 column_2 no_name
accept quoted_header_comma.csv 4 2
accept quoted_newline.csv 2 2
accept escaped_quote.csv 2 2
reject unterminated_quote.csv 3 2 not_closed
reject quote_in_middle.csv 3 2 quote_inside
reject text_after_quote.csv 2 2 closing_quote
accept quoted_numbers.csv 4 2
accept bom_utf8.csv 4 2
accept utf16le.csv 4 2
reject invalid_utf8_header.csv 1 2 UTF-8
reject embedded_nul.csv 3 2 NUL
accept crlf.csv 4 2
accept cr_only.csv 4 2
accept mixed_line_ends.csv 4 2
accept ctrl_z.csv 4 2
accept not_gzip.csv.gz 4 2
reject truncated.csv.gz - - gzip cut_short
accept gzip_content.csv 4 2
reject mixed_separators.csv 3 - header_has_3
accept semicolon.csv 4 2
accept semicolon_decimal_comma.csv 4 2
accept space_separated.csv 4 2
accept spaces_around.csv 4 2
accept tabs.tsv 4 2
reject thousands_unquoted.csv 2 - 4_fields header_has_3
accept thousands_quoted.csv 3 2
reject nan.csv 3 2 (x1) missing_value nan
as_text inf.csv 3 3 (x2) inf
as_text overflow_1e400.csv 3 2 (x1) 1e400
accept underflow_1e-400.csv 3 2
accept denormal.csv 3 2
accept huge_finite.csv 4 2
accept tiny_scale.csv 4 2
as_text hex_float.csv 2 2 (x1) 0x1.8p3
as_text fortran_exponent.csv 2 2 (x1) 0.5D+00
as_text trailing_garbage.csv 2 2 (x1) 0.5abc
as_text double_sign.csv 2 2 (x1) --0.5
as_text unicode_minus.csv 2 2 (x1) −0.5
as_text percent_currency.csv 2 2 (x1) 50%
accept date_column.csv 3 3
accept big_integers.csv 3 2
accept many_digits.csv 3 2
as_text typo_in_row_500.csv 500 2 (x1) 4O0
reject missing_empty.csv 3 2 (x1) missing_value 1_in_all
reject missing_NA.csv 3 2 (x1) missing_value 1_in_all
reject missing_question.csv 3 2 (x1) missing_value 1_in_all
reject missing_label.csv 3 1 (y) missing_label
reject all_missing_column.csv 2 3 (x2) no_value_at_all
reject one_class.csv - 1 all_labels_are_the_same y_=_1
reject three_classes.csv - 1 more_than_two 'y' a,_b,_c
reject many_classes_regression.csv - 1 more_than_two 0.1,_0.7
accept label_spelling.csv 5 2
reject label_case_and_blank.csv - 1 more_than_two yes,_Yes
accept text_labels.csv 4 2
accept labels_0_1.csv 4 2
accept labels_1_2.csv 4 2
accept nonnumeric_column.csv 4 3
accept constant_column.csv 4 2 no
accept duplicate_columns.csv 4 2 no
accept wide_fewer_rows.csv 3 7
accept contradictory_rows.csv 4 2 no
accept all_rows_equal.csv 4 2 no
accept long_line_1mb.csv 2 2
as_text long_unquoted_data_1mb.csv 2 2 (x1) 99999…
accept many_columns.csv 2 20000
reject very_many_commas.csv 2 - 100001_fields header_has_3
accept svm_ok_trailing_spaces.txt 4 3
accept svm_ok_crlf.txt 2 3
accept svm_ok_comment.txt 2 3
accept svm_ok_label_only.txt 4 3
accept svm_ok_tabs.txt 2 3
accept svm_ok_explicit_zero.txt 2 4
accept svm_ok_no_newline.txt 2 3
accept svm_index0.txt 2 2
reject svm_negative_index.txt 1 - '-3:1' negative
reject svm_decreasing.txt 2 - '2:1.5' ascend
reject svm_duplicate_index.txt 2 - '2:1.5' same_index
reject svm_index_2p31.txt 1 - 2147483648 above
reject svm_index_2p32.txt 1 - 4294967297 above
reject svm_index_20digits.txt 1 - 99999999999999999999 above
reject svm_index_fraction.txt 1 - 1.5:0.5 whole
reject svm_missing_colon.txt 1 - '3' index:value
reject svm_missing_value.txt 1 - '3:' no_value
reject svm_missing_index.txt 1 - ':0.5' no_index
reject svm_space_after_colon.txt 1 - '1:' no_value
reject svm_missing_label.txt 1 - '1:0.5' label
reject svm_value_nan.txt 1 - '1:nan' finite
reject svm_value_1e400.txt 1 - '1:1e400' range
reject svm_value_text.txt 1 - '1:abc' not_a_number
reject svm_label_text.txt 1 - 'spam' labels must_be_numbers
reject svm_label_multi.txt 1 - '1,3' more_than_one_label
reject svm_qid.txt 1 - qid
reject svm_csv_content.txt 1 - looks_like_CSV
reject svm_one_class.txt - - all_labels_are_the_same
reject svm_empty.txt - - empty
accept npy_ok.npy 4 2
accept npy_ok_bigendian.npy 4 2
accept npy_ok_fortran.npy 4 2
reject npy_truncated.npy - - less_data (4,_3)
reject npy_huge_shape.npy - - too_large
reject npy_object.npy - - Python_objects
reject npy_bad_magic.npy - - not_an_npy_file
reject npy_3d.npy - - 3_dimensions
reject npy_nan.npy 2 2 row_2 column_2 not_a_finite_number
TABLE
}

problems=0
problem() { echo "$file: $*"; problems=$((problems + 1)); }

# Runs the program, and sets code and what its JSON says: line, column, rows, features, proof, outcome.
run() {
  rm -f "$work"/*
  (cd "$folder" && timeout $seconds linpred "$@" --json >"$work/out" 2>"$work/err")
  code=$?
  [ $code -ne 124 ] || problem "no answer within $seconds seconds"
  [ $code -le 3 ] || problem "exit code $code: $(tail -n 3 "$work/err")"
  json_check error.line error.column rows columns verdict outcome >"$work/keys" 2>"$work/json" <"$work/out" ||
    problem "not JSON: $(cat "$work/json")"
  { read -r _ line; read -r _ column; read -r _ rows; read -r _ features; read -r _ proof; read -r _ outcome; } <"$work/keys"
}

check_accept() { # rows, features, "no" if inseparable
  local expected='"optimal"'
  [ "${3:-}" != no ] || expected='"inseparable"'
  [ $code -eq 0 ] || { problem "exit code $code instead of 0: $(cat "$work/err")"; return; }
  [ "$outcome" = "$expected" ] || { [ "$outcome" = '"separated"' ] && [ "$expected" = '"optimal"' ]; } || problem "the outcome is $outcome instead of $expected"
  [ "$rows,$features" = "$1,$2" ] || problem "$rows rows, $features features instead of $1, $2"
  [ "$proof" = '"proved"' ] || [ "$proof" = '"within_tolerance"' ] || problem "the verdict is $proof"
  ! grep -qwiE 'nan|inf|infinity' "$work/model.json" || problem "the model holds something that is not finite"
  linpred inspect "$work/model.json" >/dev/null || problem "the model cannot be read"
}

check_reject() { # line, column, words
  local place=$1,$2 word
  shift 2
  [ $code -eq 2 ] || { problem "exit code $code instead of 2"; return; }
  [ ! -e "$work/model.json" ] || problem "a model was written"
  [ "$(wc -l <"$work/err")" -eq 1 ] || problem "not one line: $(cat "$work/err")"
  [ "$(wc -c <"$work/err")" -le 600 ] || problem "a message of $(wc -c <"$work/err") bytes"
  [ "$line,$column" = "$place" ] || problem "line and column are $line,$column instead of $place"
  for word in "$file" "$@"; do
    grep -qF -e "${word//_/ }" -e "$word" "$work/err" || problem "'${word//_/ }' is not in: $(cat "$work/err")"
  done
}

check_as_text() { # line, column, words
  local place="$file:$1: column $2 " word
  shift 2
  [ $code -le 1 ] || { problem "exit code $code: $(cat "$work/err")"; return; }
  for word in "$place" "is read as text" "$@"; do
    grep -qF -e "${word//_/ }" -e "$word" "$work/err" || problem "'${word//_/ }' is not in: $(cat "$work/err")"
  done
}

files=0
while read -r verdict file rest; do
  files=$((files + 1))
  [ -e "$folder/$file" ] || { problem "is not there"; continue; }
  format=auto
  case $file in svm_*) format=libsvm ;; esac
  run inspect "$file" --format $format
  [ $code -eq 0 ] || [ $code -eq 2 ] || problem "inspect: exit code $code"
  [ $code -eq 0 ] || [ $verdict != as_text ] || problem "inspect refuses the file"
  run fit halfspace "$file" -t 1 --format $format -o "$work/model.json"
  eval "set -- $(printf '%s' "$rest" | sed 's/[()…]/\\&/g')"
  "check_$verdict" "$@"
done < <(table)
for path in "$folder"/*; do
  file=$(basename "$path")
  case $file in README.md | SHA256SUMS) continue ;; esac
  table | grep -qF " $file " || problem "is not in the table of this test"
done
echo "$files files, $problems problems"
[ $problems -eq 0 ]
