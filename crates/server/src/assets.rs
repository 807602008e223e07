//! The web client: embedded in the binary, or read from a folder while one works on it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::PathBuf;

use include_dir::{Dir, include_dir};
use sha2::{Digest, Sha256};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../static");

/// The client's files.
#[derive(Debug)]
pub struct Assets {
    /// Read from here instead.
    folder: Option<PathBuf>,
    /// Names this set of files: their addresses contain it, so that they can be kept for ever.
    hash: String,
}

/// What a page's head says.
#[derive(Debug)]
pub struct PageHead<'a> {
    pub title: &'a str,
    pub description: &'a str,
    pub url: &'a str,
    /// Where the place's picture is, if it has one.
    pub picture: Option<Picture<'a>>,
}

/// A picture that chats show beside a link.
#[derive(Debug)]
pub struct Picture<'a> {
    pub url: &'a str,
    /// In pixels.
    pub width: i32,
    pub height: i32,
}

impl Assets {
    /// `folder` is empty for the embedded files.
    pub fn new(folder: &str) -> Self {
        if folder.is_empty() {
            Self { folder: None, hash: hash_of(&EMBEDDED) }
        } else {
            Self { folder: Some(folder.into()), hash: "dev".to_owned() }
        }
    }

    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Whether a file never changes under its address.
    pub const fn are_immutable(&self) -> bool {
        self.folder.is_none()
    }

    /// A file by its path, `js/main.js`. Never one from outside the folder.
    pub async fn file(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        match &self.folder {
            None => EMBEDDED.get_file(path).map(|file| Cow::Borrowed(file.contents())),
            Some(folder) => {
                let is_plain = path
                    .split('/')
                    .all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
                if !is_plain {
                    return None;
                }
                tokio::fs::read(folder.join(path)).await.ok().map(Cow::Owned)
            }
        }
    }

    /// The shell of every page.
    pub async fn page(&self, head: &PageHead<'_>) -> Option<String> {
        let shell = self.file("index.html").await?;
        let shell = String::from_utf8_lossy(&shell);
        // The value of a placeholder may contain another one's name: each is put in once, from left to right.
        let mut page = String::with_capacity(shell.len() + 512);
        let mut rest = &*shell;
        while let Some((before, after)) = rest.split_once("{{") {
            page.push_str(before);
            let Some((name, after)) = after.split_once("}}") else { break };
            match name {
                "assets" => _ = write!(page, "/assets/{}", self.hash),
                "title" => escape_into(&mut page, head.title),
                "description" => escape_into(&mut page, head.description),
                "url" => escape_into(&mut page, head.url),
                "picture" => {
                    if let Some(picture) = &head.picture {
                        picture.tell(&mut page);
                    }
                }
                other => tracing::warn!(other, "unknown placeholder in index.html"),
            }
            rest = after;
        }
        page.push_str(rest);
        Some(page)
    }
}

impl Picture<'_> {
    fn tell(&self, page: &mut String) {
        page.push_str("<meta property=\"og:image\" content=\"");
        escape_into(page, self.url);
        _ = write!(
            page,
            "\">\n<meta property=\"og:image:type\" content=\"image/svg+xml\">\n\
             <meta property=\"og:image:width\" content=\"{}\">\n<meta property=\"og:image:height\" content=\"{}\">\n\
             <meta name=\"twitter:card\" content=\"summary_large_image\">",
            self.width, self.height
        );
    }
}

/// By the end of its name.
pub fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some(_) | None => "application/octet-stream",
    }
}

/// Text as HTML and SVG take it for nothing but text.
pub fn escape_into(page: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            '\'' => page.push_str("&#39;"),
            c => page.push(c),
        }
    }
}

fn hash_of(dir: &Dir<'_>) -> String {
    fn add(dir: &Dir<'_>, hasher: &mut Sha256) {
        for file in dir.files() {
            hasher.update(file.path().to_string_lossy().as_bytes());
            hasher.update(file.contents().len().to_le_bytes());
            hasher.update(file.contents());
        }
        for dir in dir.dirs() {
            add(dir, hasher);
        }
    }
    let mut hasher = Sha256::new();
    add(dir, &mut hasher);
    hex(&hasher.finalize()[..8])
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut s, byte| {
        _ = write!(s, "{byte:02x}");
        s
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_page_is_filled_in_and_escaped() {
        let folder = std::env::temp_dir().join(format!("manifold-assets-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("index.html"), "<title>{{title}}</title>{{assets}} {{url}}")
            .unwrap();
        let assets = Assets::new(&folder.to_string_lossy());
        let head =
            PageHead { title: "<b>{{url}}</b>", description: "", url: "\"x\"", picture: None };
        let page = assets.page(&head).await.unwrap();
        assert_eq!(page, "<title>&lt;b&gt;{{url}}&lt;/b&gt;</title>/assets/dev &quot;x&quot;");
        for outside in ["../index.html", "a/../../x", "/etc/passwd", "", ".hidden"] {
            assert!(assets.file(outside).await.is_none(), "{outside}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
