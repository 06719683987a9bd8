/** Dashboards and views that vRealize and VCF Operations export, brought into our format. */
@NullMarked
package io.peerlens.dashboard.vrops;

import org.jspecify.annotations.NullMarked;
