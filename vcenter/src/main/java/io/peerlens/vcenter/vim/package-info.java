/**
 * Client of the vSphere Web Services API (SOAP, vim25): the dozen calls that a collector needs,
 * over a streaming XML reader.
 */
@NullMarked
package io.peerlens.vcenter.vim;

import org.jspecify.annotations.NullMarked;
