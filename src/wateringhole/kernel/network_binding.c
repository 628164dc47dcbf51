/* The network for Python: `_kernel.network_inputs` and `_kernel.network_scores`. Sizes and rows from outside are checked
 * here, so that no call leads outside an array. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "network.h"
#include "network_binding.h"

enum { MAX_BUFFERS = 4 };

static void release(Py_buffer *views, int count)
{
    while (count)
        PyBuffer_Release(&views[--count]);
}

/* The first `count` arguments as buffers; the last of them is written to. */
static bool open_buffers(PyObject *const *arguments, int count, Py_buffer *views)
{
    for (int at = 0; at < count; at++) {
        int flags = at == count - 1 ? PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE : PyBUF_C_CONTIGUOUS;
        if (PyObject_GetBuffer(arguments[at], &views[at], flags)) {
            release(views, at);
            return false;
        }
    }
    return true;
}

/* How many opponents an observation of so many bytes has room for; 0 if it is none. */
static int opponents_in(Py_ssize_t bytes)
{
    Py_ssize_t others = (bytes - SEE_OTHERS) / SEE_OTHER;
    bool fits = bytes == SEE_OTHERS + others * SEE_OTHER && others >= MIN_PLAYERS - 1 && others < MAX_PLAYERS;
    return fits ? (int)others : 0;
}

static PyObject *refuse(const char *why)
{
    PyErr_SetString(PyExc_ValueError, why);
    return NULL;
}

static PyObject *inputs_of(const Py_buffer *views, Py_ssize_t width)
{
    int others = opponents_in(width);
    Py_ssize_t rows = others ? views[0].len / width : 0;
    if (!others || views[0].len != rows * width || views[1].itemsize != sizeof(float) ||
        views[1].len != rows * INPUTS * (Py_ssize_t)sizeof(float) || (uintptr_t)views[1].buf % sizeof(float))
        return refuse("the arrays are not observations and as many rows of inputs");
    for (Py_ssize_t at = 0; at < rows; at++) {
        const uint8_t *row = (const uint8_t *)views[0].buf + at * width;
        float *into = (float *)views[1].buf + at * INPUTS;
        double in[INPUTS];
        if (!observation_is_sound(row, others))
            return refuse("a row is no observation");
        network_inputs(row, others, in);
        for (int part = 0; part < INPUTS; part++)
            into[part] = (float)in[part];
    }
    Py_RETURN_NONE;
}

PyObject *python_network_inputs(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count)
{
    Py_buffer views[MAX_BUFFERS];
    if (count != 3)
        return PyErr_Format(PyExc_TypeError, "%zd arguments, not 3", count);
    Py_ssize_t width = PyNumber_AsSsize_t(arguments[0], PyExc_ValueError);
    if ((width == -1 && PyErr_Occurred()) || !open_buffers(arguments + 1, 2, views))
        return NULL;
    PyObject *done = inputs_of(views, width);
    release(views, 2);
    return done;
}

static PyObject *scores_of(const Py_buffer *views, Py_ssize_t first, Py_ssize_t second)
{
    const Py_buffer *numbers = &views[0], *row = &views[1], *mask = &views[2], *scores = &views[3];
    int others = opponents_in(row->len);
    if (first < 1 || first > MAX_HIDDEN || second < 1 || second > MAX_HIDDEN)
        return refuse("a hidden layer is too small or too large");
    if (numbers->itemsize != sizeof(float) || (uintptr_t)numbers->buf % sizeof(float) ||
        (size_t)numbers->len != network_size((int)first, (int)second) * sizeof(float))
        return refuse("the weights are not those of such a network");
    if (!others || mask->len != ACTIONS || !observation_is_sound(row->buf, others))
        return refuse("that is no observation and its mask");
    if (scores->itemsize != sizeof(double) || (uintptr_t)scores->buf % sizeof(double) ||
        scores->len != (ACTIONS + 1) * (Py_ssize_t)sizeof(double))
        return refuse("the scores have not the room for all actions and the value");
    Network net = {(int)first, (int)second, numbers->buf};
    double found[ACTIONS + 1];
    network_scores(&net, row->buf, others, mask->buf, found);
    memcpy(scores->buf, found, sizeof found);
    Py_RETURN_NONE;
}

PyObject *python_network_scores(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t count)
{
    Py_buffer views[MAX_BUFFERS];
    if (count != 6)
        return PyErr_Format(PyExc_TypeError, "%zd arguments, not 6", count);
    Py_ssize_t first = PyNumber_AsSsize_t(arguments[0], PyExc_ValueError);
    Py_ssize_t second = first == -1 && PyErr_Occurred() ? -1 : PyNumber_AsSsize_t(arguments[1], PyExc_ValueError);
    if ((second == -1 && PyErr_Occurred()) || !open_buffers(arguments + 2, 4, views))
        return NULL;
    PyObject *done = scores_of(views, first, second);
    release(views, 4);
    return done;
}
