//! A picture as PNG. Its letters are those of the fonts beside this file, never of the machine that draws it, so that every machine
//! draws the same bytes.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// DejaVu Sans 2.37, cut to the letters of European languages, arrows and shapes: `fonts/LICENSE`.
const FONTS: [&[u8]; 2] = [include_bytes!("fonts/DejaVuSans.ttf"), include_bytes!("fonts/DejaVuSans-Bold.ttf")];
const FAMILY: &str = "DejaVu Sans";
/// Pixels for each of the picture's own, as screens have them today.
const SCALE: u16 = 2;

/// Draws an SVG, as it is on light ground.
pub(crate) fn drawn(svg: &str) -> Result<Vec<u8>, String> {
    let mut options = Options { font_family: FAMILY.to_owned(), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.set_sans_serif_family(FAMILY);
    FONTS.into_iter().for_each(|font| fonts.load_font_data(font.to_vec()));
    // It knows whole hundreds alone, and there are two weights.
    let svg = svg.replace("font-weight=\"650\"", "font-weight=\"bold\"");
    let tree = Tree::from_str(&svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size().scale_by(f32::from(SCALE));
    let mut pixels =
        size.and_then(|size| Pixmap::new(size.width(), size.height())).ok_or("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(SCALE.into(), SCALE.into()), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
