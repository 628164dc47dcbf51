/* What binding.c puts into the module. */
#ifndef WATERINGHOLE_NETWORK_BINDING_H
#define WATERINGHOLE_NETWORK_BINDING_H

#include <Python.h>

PyObject *python_network_inputs(PyObject *module, PyObject *const *arguments, Py_ssize_t count);
PyObject *python_network_scores(PyObject *module, PyObject *const *arguments, Py_ssize_t count);

#endif
