/* NVIDIA's driver as the CUDA runtime meets it on a machine without a device: what both call before a session is made. */
#include <string.h>

enum { SUCCESS = 0, NO_DEVICE = 100 };

int cuInit(unsigned flags) { (void)flags; return NO_DEVICE; }
int cuDriverGetVersion(int *version) { *version = 13000; return SUCCESS; }
int cuDeviceGetCount(int *count) { *count = 0; return NO_DEVICE; }
int cuGetErrorString(int error, const char **text) { (void)error; *text = "no CUDA-capable device is detected"; return SUCCESS; }
int cuGetErrorName(int error, const char **text) { (void)error; *text = "CUDA_ERROR_NO_DEVICE"; return SUCCESS; }
int cuModuleLoadData(void **module, const void *image) { (void)module, (void)image; return NO_DEVICE; }
int cuModuleGetFunction(void **function, void *module, const char *name) { (void)function, (void)module, (void)name; return NO_DEVICE; }
int cuModuleUnload(void *module) { (void)module; return NO_DEVICE; }
int cuTensorMapEncodeTiled(void) { return NO_DEVICE; }
int cuTensorMapEncodeIm2col(void) { return NO_DEVICE; }

static int refuse(void) { return NO_DEVICE; }

int cuGetProcAddress_v2(const char *name, void **address, int version, unsigned long long flags, void *status);

int cuGetProcAddress(const char *name, void **address, int version, unsigned long long flags) {
  (void)version, (void)flags;
  if (strcmp(name, "cuInit") == 0) *address = (void *)cuInit;
  else if (strcmp(name, "cuDriverGetVersion") == 0) *address = (void *)cuDriverGetVersion;
  else if (strcmp(name, "cuDeviceGetCount") == 0) *address = (void *)cuDeviceGetCount;
  else if (strcmp(name, "cuGetErrorString") == 0) *address = (void *)cuGetErrorString;
  else if (strcmp(name, "cuGetErrorName") == 0) *address = (void *)cuGetErrorName;
  else if (strcmp(name, "cuGetProcAddress") == 0) *address = (void *)cuGetProcAddress_v2;
  else *address = (void *)refuse;
  return SUCCESS;
}

int cuGetProcAddress_v2(const char *name, void **address, int version, unsigned long long flags, void *status) {
  if (status) *(int *)status = 0;
  return cuGetProcAddress(name, address, version, flags);
}
