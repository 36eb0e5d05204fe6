# LINPRED_STATIC_CHECKER: those of them that the checker needs, for the program linpred-verify.
# LINPRED_STATIC_LIBRARIES: everything the program needs of others, as archives, if all of them are installed; else empty, and
# the program is linked with liblinpred.so and theirs.
#
# Half of a short command's time went into relocating shared libraries, most of all OpenBLAS and CLP. Linked with archives, the
# program starts at once and can be copied alone. OpenBLAS is taken in its flavour for pthreads: the serial one gives threads that call it side
# by side the same room to work in, and wrong sums.
option(LINPRED_STATIC_PROGRAM "link the program with static libraries, where they are installed" ON)

set(LINPRED_STATIC_LIBRARIES)
if(LINPRED_STATIC_PROGRAM AND NOT LINPRED_SANITIZE)
  find_library(LINPRED_OPENBLAS libopenblas.a PATH_SUFFIXES openblas-pthread NO_CACHE)
  get_filename_component(flavour "${LINPRED_OPENBLAS}" REALPATH)
  if(NOT flavour MATCHES "pthread")
    set(LINPRED_OPENBLAS NOTFOUND)
  endif()
  set(archives ${LINPRED_OPENBLAS})
  set(LINPRED_STATIC_CHECKER)
  foreach(name lapacke Clp CoinUtils bz2 gmp jansson zstd z sqlite3 snappy lz4)
    find_library(archive lib${name}.a NO_CACHE)
    list(APPEND archives ${archive})
    if(name MATCHES "^(gmp|jansson|zstd|z|sqlite3|snappy|lz4)$")
      list(APPEND LINPRED_STATIC_CHECKER ${archive})
    endif()
    unset(archive)
  endforeach()
  # The compiler knows where these are.
  foreach(name gfortran quadmath)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=lib${name}.a OUTPUT_VARIABLE archive OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND archives ${archive})
  endforeach()
  set(complete ON)
  foreach(archive ${archives})
    if(NOT EXISTS ${archive})
      set(complete OFF)
    endif()
  endforeach()
  if(complete)
    set(LINPRED_STATIC_LIBRARIES -Wl,--start-group ${archives} -Wl,--end-group)
  endif()
endif()
