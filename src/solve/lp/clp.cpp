/* CLP's C interface, with every exception caught. The header says what each function does. */
#include "solve/lp/clp.h"

#include <cstring>
#include <vector>

#include <Clp_C_Interface.h>

#include "core/blas.h"

namespace
{
/* Holds BLAS to one thread while CLP runs, so that the bits do not depend on the number of processors. */
struct SingleThread {
    SingleThread()
    {
        linpred__blas_enter();
    }
    ~SingleThread()
    {
        linpred__blas_leave();
    }
};

Clp_Simplex *clp(void *model)
{
    return static_cast<Clp_Simplex *>(model);
}

/* Runs `work` and turns any exception into `false`. */
template <typename Work> bool guarded(Work work)
{
    try {
        return work();
    } catch (...) {
        return false;
    }
}
} // namespace

extern "C" {

void *linpred__clp_open(int32_t columns)
{
    Clp_Simplex *model = nullptr;
    bool good = guarded([&] {
        model = Clp_newModel();
        Clp_setLogLevel(model, 0);
        Clp_resize(model, 0, columns);
        std::vector<double> zero(static_cast<size_t>(columns), 0.0);
        std::vector<double> one(static_cast<size_t>(columns), 1.0);
        std::vector<double> upper(static_cast<size_t>(columns), 1e300);
        Clp_chgColumnLower(model, zero.data());
        Clp_chgColumnUpper(model, upper.data());
        Clp_chgObjCoefficients(model, one.data());
        Clp_scaling(model, 0);
        Clp_setPrimalTolerance(model, 1e-9);
        Clp_setDualTolerance(model, 1e-9);
        return true;
    });
    if (!good) {
        linpred__clp_close(model);
        return nullptr;
    }
    return model;
}

void linpred__clp_close(void *model)
{
    if (model)
        guarded([&] {
            Clp_deleteModel(clp(model));
            return true;
        });
}

bool linpred__clp_add_rows(void *model, int32_t rows, const double *lower, const double *upper, const int32_t *start,
                           const int32_t *index, const double *value)
{
    return guarded([&] {
        Clp_addRows(clp(model), rows, lower, upper, start, index, value);
        return true;
    });
}

bool linpred__clp_set_bounds(void *model, int32_t row, double lower, double upper)
{
    Clp_rowLower(clp(model))[row] = lower;
    Clp_rowUpper(clp(model))[row] = upper;
    return true;
}

bool linpred__clp_set_costs(void *model, const double *cost)
{
    return guarded([&] {
        Clp_chgObjCoefficients(clp(model), cost);
        return true;
    });
}

int32_t linpred__clp_rows(void *model)
{
    return Clp_numberRows(clp(model));
}

bool linpred__clp_solve(void *model, bool primal, int32_t iterations, int *status)
{
    return guarded([&] {
        SingleThread single;
        Clp_setMaximumIterations(clp(model), iterations);
        if (primal)
            Clp_primal(clp(model), 0);
        else
            Clp_dual(clp(model), 0);
        *status = Clp_status(clp(model));
        return true;
    });
}

bool linpred__clp_forget_basis(void *model)
{
    return guarded([&] {
        int rows = Clp_numberRows(clp(model));
        int columns = Clp_numberColumns(clp(model));
        /* CLP's codes: 1 is basic, 3 is at its lower bound. The columns come first, then the rows. */
        std::vector<unsigned char> status(static_cast<size_t>(rows) + static_cast<size_t>(columns), 3);
        for (int i = 0; i < rows; i++)
            status[static_cast<size_t>(columns) + static_cast<size_t>(i)] = 1;
        Clp_copyinStatus(clp(model), status.data());
        return true;
    });
}

const double *linpred__clp_point(void *model)
{
    return Clp_primalColumnSolution(clp(model));
}

const double *linpred__clp_duals(void *model)
{
    return Clp_dualRowSolution(clp(model));
}

bool linpred__clp_ray(void *model, double *ray)
{
    return guarded([&] {
        double *found = Clp_infeasibilityRay(clp(model));
        if (!found)
            return false;
        std::memcpy(ray, found, sizeof *ray * static_cast<size_t>(Clp_numberRows(clp(model))));
        Clp_freeRay(clp(model), found);
        return true;
    });
}

bool linpred__clp_row_is_basic(void *model, int32_t row)
{
    return Clp_getRowStatus(clp(model), row) == 1; /* 1: basic */
}
}
